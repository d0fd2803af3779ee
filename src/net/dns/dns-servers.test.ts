import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDnsServers, parseServerAddress, type ServerAddress } from './dns-servers.ts';

describe('the address of a server', () => {
  const cases: [string, ServerAddress | null][] = [
    ['192.0.2.1', { address: '192.0.2.1', port: 53, family: 4 }],
    ['192.0.2.1:5353', { address: '192.0.2.1', port: 5353, family: 4 }],
    ['2001:db8::1', { address: '2001:db8::1', port: 53, family: 6 }],
    ['[2001:db8::1]', { address: '2001:db8::1', port: 53, family: 6 }],
    ['[2001:db8::1]:5353', { address: '2001:db8::1', port: 5353, family: 6 }],
    ['fe80::1%eth0', { address: 'fe80::1%eth0', port: 53, family: 6 }],
    ['[192.0.2.1]:53', null],
    ['192.0.2.1:0', null],
    ['192.0.2.1:65536', null],
    ['192.0.2.1:', null],
    ['192.0.2.256', null],
    ['dns.example.com', null],
    ['', null],
  ];
  for (const [text, expected] of cases) {
    it(`the address of a DNS server of "${text}" is ${expected === null ? 'refused' : 'read'}`, () => {
      assert.deepEqual(parseServerAddress(text), expected);
    });
  }
});

describe('the order of servers', () => {
  const [a, b, c] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(
    (address) => ({ address, port: 53, family: 4 }) as const,
  );
  assert.ok(a && b && c);

  it('the order of DNS servers rotates, so that each is the first in turn', () => {
    const servers = createDnsServers([a, b, c], () => 0);
    assert.deepEqual(
      [servers.order(), servers.order(), servers.order()],
      [
        [a, b, c],
        [b, c, a],
        [c, a, b],
      ],
    );
  });

  it('the order of DNS servers puts a failed server last until it works, or ten seconds have passed in either direction of the clock', () => {
    let atMs = 1_000_000;
    const servers = createDnsServers([a, b], () => atMs);
    servers.markFailed(a);
    assert.deepEqual(
      [servers.order(), servers.order()],
      [
        [b, a],
        [b, a],
      ],
    );
    servers.markHealthy(a);
    assert.deepEqual(servers.order(), [a, b]);
    for (const passedMs of [10_000, -10_000]) {
      servers.markFailed(b);
      assert.deepEqual(
        [servers.order(), servers.order()],
        [
          [a, b],
          [a, b],
        ],
      );
      atMs += passedMs;
      assert.deepEqual(servers.order(), [b, a]);
      servers.order();
    }
  });
});
