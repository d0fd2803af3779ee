import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { retainedHeapBytes } from '../../test/retained-heap.ts';
import { createClientAddresses, isHost, isPrivate, plainAddress, type TrustProxy } from './client-address.ts';

const requestFrom = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress, localAddress: '192.0.2.80', localPort: 8080 }, headers }) as unknown as IncomingMessage;

describe("a client's address", () => {
  const cases: readonly [TrustProxy, string, string | null, string][] = [
    [null, '10.0.0.1', '203.0.113.7', '10.0.0.1'],
    [null, '::ffff:203.0.113.9', null, '203.0.113.9'],
    [1, '10.0.0.1', null, '10.0.0.1'],
    [1, '10.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [2, '10.0.0.1', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [5, '10.0.0.1', '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [1, '10.0.0.1', '203.0.113.7:50123', '203.0.113.7'],
    [1, '10.0.0.1', '[2001:db8::7]:50123', '2001:db8::7'],
    [1, '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    [1, '10.0.0.1', '2001:db8::7', '2001:db8::7'],
    [1, '10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    [1, '10.0.0.1', 'unknown', '10.0.0.1'],
    [1, '10.0.0.1', '', '10.0.0.1'],
    [['10.0.0.0/8'], '10.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    [['10.0.0.0/8'], '10.0.0.1', '203.0.113.7, 10.0.0.2:443', '203.0.113.7'],
    [['uniquelocal'], '172.18.0.1', '203.0.113.7', '203.0.113.7'],
    [['uniquelocal'], 'fd00::1', '203.0.113.7', '203.0.113.7'],
    [['192.0.2.1'], '10.0.0.1', '203.0.113.7', '10.0.0.1'],
    [['loopback'], '::1', '203.0.113.7', '203.0.113.7'],
  ];
  for (const [trust, peer, forwarded, expected] of cases) {
    it(`a client's address is ${expected} for ${peer} with X-Forwarded-For "${forwarded}" and TRUST_PROXY ${trust}`, () => {
      const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
      assert.equal(createClientAddresses(trust).of(requestFrom(peer, headers)), expected);
    });
  }

  it("a client's address does not keep the header alive that it came in", async () => {
    const addresses = createClientAddresses(1);
    const kept: string[] = [];
    const bytes = await retainedHeapBytes(() => {
      for (let index = 0; index < 1_000; index += 1) {
        const header = `${index}${' '.repeat(15_000)}, 203.113.${100 + (index % 100)}.${100 + Math.floor(index / 100)}`;
        kept.push(addresses.of(requestFrom('10.0.0.1', { 'x-forwarded-for': header })));
      }
    });
    assert.ok(bytes < 3_000_000, `${bytes} bytes are kept`);
    assert.equal(new Set(kept).size, 1_000);
  });

  it("a client's address is an address or nothing", () => {
    for (const text of ['', 'unknown', '_x', '1.2.3', '1.2.3.4:', '1.2.3.4:123456', '[::1', '::1]:80', '1.2.3.4 ']) {
      assert.equal(plainAddress(text), null, text);
    }
    assert.equal(plainAddress('fe80::1%eth0'), 'fe80::1');
  });

  it("a client's address is private when it is not routable on the internet", () => {
    for (const ip of ['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.1.1', '100.64.0.1', 'fd00::1', 'fe80::1'])
      assert.ok(isPrivate(ip), ip);
    for (const ip of ['172.32.0.1', '203.0.113.7', '2001:db8::1', '127.0.0.1', 'x']) assert.ok(!isPrivate(ip), ip);
  });
});

describe('the base of links', () => {
  const base = (trust: TrustProxy, headers: Record<string, string>) =>
    createClientAddresses(trust).baseUrl(requestFrom('10.0.0.1', headers));

  it("the base of links is the request's own host when that is a host name with an optional port, else where we listen", () => {
    for (const host of ['here.example:8080', 'localhost', '192.0.2.1', '[2001:db8::1]:8080', 'xn--bcher-kva.example.'])
      assert.equal(base(null, { host }), `http://${host}`);
    for (const host of ['', 'a b', 'a/b', 'a"><script>', 'user@host', 'host:port', 'host:99999', '[zz]', '-a', 'a?b'])
      assert.equal(base(null, { host }), 'http://192.0.2.80:8080', host);
    assert.ok(!isHost(`${'a'.repeat(300)}.example`));
  });

  it('a host name has labels of 1 to 63 characters and none is empty [D707]', () => {
    const longest = 'a'.repeat(63);
    for (const host of [
      longest,
      `${longest}.example:8080`,
      'a.b.',
      `${[longest, longest, longest].join('.')}.${'b'.repeat(61)}`,
    ])
      assert.ok(isHost(host), host);
    for (const host of [
      `a${longest}.example`,
      'a..b',
      '.a',
      'a..',
      '..',
      '.',
      'a.-b',
      'a-.b',
      `${longest}.`.repeat(4).concat('a'),
    ])
      assert.ok(!isHost(host), host);
  });

  it('the base of links takes scheme and host of a trusted proxy only, and of schemes http and https only', () => {
    const headers = { host: 'inner', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'outer.example' };
    assert.equal(base(null, headers), 'http://inner');
    assert.equal(base(['192.0.2.1'], headers), 'http://inner');
    assert.equal(base(1, headers), 'https://outer.example');
    assert.equal(base(1, { ...headers, 'x-forwarded-host': 'javascript:alert(1)' }), 'https://inner');
    for (const scheme of ['javascript', 'ftp', 'https://evil/', ''])
      assert.equal(base(1, { host: 'inner', 'x-forwarded-proto': scheme }), 'http://inner', scheme);
  });
});
