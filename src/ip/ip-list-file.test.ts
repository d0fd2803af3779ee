import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseIp } from '../address/ip.ts';
import { type IpList, readIpList } from './ip-list-file.ts';
import { coversIp, ipWords } from './ip-ranges.ts';

const read = (text: string): Promise<IpList> => readIpList(Buffer.from(text));

function has(list: IpList, address: string): boolean {
  const ip = parseIp(address);
  assert.ok(ip !== null);
  return coversIp(list.ranges, ipWords(ip.bytes));
}

interface Layout {
  readonly name: string;
  readonly text: string;
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

const layouts: readonly Layout[] = [
  {
    name: 'addresses, one per line',
    text: '185.220.101.4\n2a0b:f4c2::1\n',
    inside: ['185.220.101.4', '2a0b:f4c2::1'],
    outside: ['185.220.101.5', '2a0b:f4c2::2'],
  },
  {
    name: "Apple's relay ranges",
    text: '172.224.224.0/27,GB,GB-EN,London,\n2a02:26f7:b3c0:4000::/64,ZZ,,São Paulo,\n',
    inside: ['172.224.224.31', '2a02:26f7:b3c0:4000:ffff::1'],
    outside: ['172.224.224.32', '2a02:26f7:b3c0:4001::'],
  },
  {
    name: 'Spamhaus DROP, text',
    text: '; Spamhaus DROP List\n; Expires: later\n1.10.16.0/20 ; SBL256894\n1.19.0.0/16 ; SBL434604\n',
    inside: ['1.10.31.255', '1.19.7.7'],
    outside: ['1.10.32.0'],
  },
  {
    name: 'Spamhaus DROP, JSON',
    text: '{"cidr":"1.10.16.0/20","sblid":"SBL1","rir":"apnic"}\n{"type":"metadata","records":1}\n',
    inside: ['1.10.16.0'],
    outside: ['1.10.15.255'],
  },
  {
    name: 'comments, blanks, tabs, Windows line ends and a byte order mark',
    text: '\ufeff# ours\r\n\r\n  9.9.9.9 # one\r\n\t8.8.4.0/24\tanother\r\n   \r\n;8.8.8.8',
    inside: ['9.9.9.9', '8.8.4.4'],
    outside: ['8.8.8.8'],
  },
  {
    name: 'networks with bits beyond their prefix',
    text: '198.41.1.77/24\n2606:4700::1/32\n',
    inside: ['198.41.1.0', '2606:4700:ffff::'],
    outside: ['198.41.2.0'],
  },
  {
    name: 'IPv4 written as IPv6',
    text: '::ffff:5.6.7.8\n::ffff:5.6.8.0/120\n',
    inside: ['5.6.7.8', '5.6.8.255'],
    outside: ['5.6.7.9'],
  },
];

describe('a list of addresses and networks', () => {
  for (const { name, text, inside, outside } of layouts) {
    it(`a list of addresses and networks is read: ${name}`, async () => {
      const list = await read(text);
      assert.equal(list.wrongLines, 0);
      for (const address of inside) assert.equal(has(list, address), true, address);
      for (const address of outside) assert.equal(has(list, address), false, address);
    });
  }

  it('a list of addresses and networks may have a wrong line or two, which are counted and shown; the others count', async () => {
    const list = await read('1.1.1.1\nnot an address\n2.2.2.2\n3.3.3.3/33\n');
    assert.equal(list.entries, 2);
    assert.equal(list.wrongLines, 2);
    assert.deepEqual(list.examples, [
      { line: 2, text: 'not' },
      { line: 4, text: '3.3.3.3/33' },
    ]);
    assert.equal(has(list, '2.2.2.2'), true);
  });

  const wrong = [
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/8.5',
    '1.2.3.4/0x8',
    ':::',
    '::/129',
    'fe80::1%eth0',
    '0.0.0.0/0',
    '128.0.0.0/7',
    '::/0',
    '2000::/15',
    '::ffff:0:0/96',
    '::ffff:0:0/90',
    '{"cidr":7}',
    '{',
    'example.com',
  ];
  for (const text of wrong) {
    it(`a list of addresses and networks does not take ${text} for an entry`, async () => {
      const list = await read(`1.1.1.1\n${text}\n`);
      assert.equal(list.entries, 1);
      assert.equal(list.wrongLines, 1);
    });
  }

  const good = Array.from({ length: 200 }, (_, i) => `11.0.${i}.1\n`).join('');
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['is empty', '', /no address/],
    ['holds comments only', '# nothing\n; here\n', /no address/],
    ['holds wrong lines only', 'hello\n', /no address/],
    ['is an error page', '<!doctype html>\n<html>\n<body>\n<p>503</p>\n', /4 wrong lines beside 0/],
    ['has more than one wrong line in ten', good + 'oops\n'.repeat(21), /21 wrong lines beside 200 .* line 201: oops/],
    ['would cover half of the internet', Array.from({ length: 140 }, (_, i) => `${i + 1}.0.0.0/8\n`).join(''), /half/],
  ];
  for (const [what, text, reason] of refused) {
    it(`a list of addresses and networks is refused when it ${what}`, async () => {
      await assert.rejects(read(text), reason);
    });
  }

  it('a list of addresses and networks lets other work continue while a long one is read', async () => {
    const reading = read(good.repeat(200));
    let turns = 0;
    let done = false;
    const count = () => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await reading;
    done = true;
    assert.ok(turns > 10);
  });

  it('a list of addresses and networks is read or refused, whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          fc.string().map((text) => Buffer.from(text)),
        ),
        async (bytes) => {
          const list = await readIpList(Buffer.from(bytes)).catch((error: unknown) => error);
          assert.ok(list instanceof Error || (typeof list === 'object' && list !== null && 'ranges' in list));
        },
      ),
    );
  });
});
