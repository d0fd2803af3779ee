import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ipFromBytes, isReserved, parseIp } from './ip.ts';

describe('parseIp', () => {
  const valid: [text: string, canonical: string, version: 4 | 6][] = [
    ['203.0.113.7', '203.0.113.7', 4],
    ['0.0.0.0', '0.0.0.0', 4],
    ['255.255.255.255', '255.255.255.255', 4],
    ['::', '::', 6],
    ['::1', '::1', 6],
    ['1::', '1::', 6],
    ['2001:DB8::0001', '2001:db8::1', 6],
    ['2001:0db8:0:0:1:0:0:1', '2001:db8::1:0:0:1', 6],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1', 6],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1', 6],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0', 6],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8', 6],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304', 6],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221', 6],
    ['::ffff:1.2.3.4', '1.2.3.4', 4],
    ['::FFFF:102:304', '1.2.3.4', 4],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4', 4],
    ['::fffe:1.2.3.4', '::fffe:102:304', 6],
    ['1::ffff:1.2.3.4', '1::ffff:102:304', 6],
  ];
  for (const [text, canonical, version] of valid) {
    it(`parseIp reads ${text} as ${canonical}`, () => {
      const ip = parseIp(text);
      assert.equal(ip?.text, canonical);
      assert.equal(ip?.version, version);
      assert.equal(ip?.bytes.length, version === 4 ? 4 : 16);
    });
  }

  const invalid = [
    '',
    '1',
    ':',
    ':::',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.04',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1.2.3.4\n',
    '1.2.3.-4',
    '1.2.3.4/32',
    '１.2.3.4',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1::2::3',
    ':1::2',
    '1::2:',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '[::1]',
    '::1.2.3.4:1',
    '1.2.3.4::',
    '::1.2.3',
    '::ffff:01.2.3.4',
    '1:2:3:4:5:6:7:1.2.3.4',
    ':'.repeat(1_000_000),
  ];
  for (const text of invalid) {
    it(`parseIp refuses ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(parseIp(text), null));
  }

  it('parseIp reads back its own canonical text, which is a valid address to others too', () => {
    const octets = fc.oneof(
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.array(fc.constantFrom(0, 0, 0, 1, 255, 0x20), { minLength: 16, maxLength: 16 }).map((a) => Uint8Array.from(a)),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
    );
    fc.assert(
      fc.property(octets, (bytes) => {
        const ip = ipFromBytes(bytes);
        assert.ok(ip);
        assert.deepEqual(parseIp(ip.text), ip);
        assert.equal(isIP(ip.text), ip.version);
      }),
    );
  });

  it('parseIp accepts exactly the texts that node:net accepts as addresses', () => {
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom('0', '1', 'f', ':', '::', '.', '255') }),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        assert.equal(parseIp(candidate) !== null, isIP(candidate) !== 0, candidate);
      }),
      { numRuns: 1000 },
    );
  });

  it('parseIp never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseIp(text)));
  });

  it('parseIp refuses any other number of octets', () => assert.equal(ipFromBytes(new Uint8Array(5)), null));
});

describe('isReserved', () => {
  const edges: [reserved: string, outside: string][] = [
    ['0.255.255.255', '1.0.0.0'],
    ['10.0.0.0', '9.255.255.255'],
    ['10.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.63.255.255'],
    ['100.127.255.255', '100.128.0.0'],
    ['127.0.0.1', '126.255.255.255'],
    ['127.255.255.255', '128.0.0.0'],
    ['169.254.169.254', '169.253.255.255'],
    ['169.254.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.15.255.255'],
    ['172.31.255.255', '172.32.0.0'],
    ['192.0.0.0', '191.255.255.255'],
    ['192.0.0.255', '192.0.1.0'],
    ['192.0.2.255', '192.0.3.0'],
    ['192.88.99.1', '192.88.98.255'],
    ['192.168.0.0', '192.167.255.255'],
    ['192.168.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.17.255.255'],
    ['198.19.255.255', '198.20.0.0'],
    ['198.51.100.1', '198.51.101.0'],
    ['203.0.113.255', '203.0.114.0'],
    ['224.0.0.1', '223.255.255.255'],
    ['255.255.255.255', '192.175.48.1'],
    ['::', '2000::1'],
    ['::1', '2606:4700::1111'],
    ['::7f00:1', '2a00:1450::1'],
    ['::ffff:10.0.0.1', '::ffff:8.8.8.8'],
    ['::ffff:0:8.8.8.8', '::ffff:1.1.1.1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8'],
    ['64:ff9b::127.0.0.1', '64:ff9b::1.1.1.1'],
    ['64:ff9b:1::8.8.8.8', '2620:4f:8000::1'],
    ['2002:7f00:1::1', '2002:808:808::1'],
    ['2002:a9fe:a9fe::', '2003::1'],
    ['100::1', '2400::1'],
    ['2001::1', '2001:200::1'],
    ['2001:1ff:ffff::1', '2001:4860:4860::8888'],
    ['2001:db8::1', '2001:db9::1'],
    ['2001:db8:ffff::1', '2001:db7::1'],
    ['3fff:fff::1', '3fff:1000::1'],
    ['4000::1', '3ffe::1'],
    ['5f00::1', '2801::1'],
    ['fc00::1', '2001:500:2::c'],
    ['fdff::1', '2001:dc3::35'],
    ['fe80::1', '2c0f::1'],
    ['fec0::1', '2804::1'],
    ['ff02::1', '240e::1'],
  ];
  for (const [reserved, outside] of edges) {
    it(`isReserved is true for ${reserved} and false for ${outside}`, () => {
      const inside = parseIp(reserved);
      const free = parseIp(outside);
      assert.ok(inside);
      assert.ok(free);
      assert.equal(isReserved(inside), true);
      assert.equal(isReserved(free), false);
    });
  }
});
