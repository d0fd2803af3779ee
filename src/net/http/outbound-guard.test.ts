import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'node:test';
import { createOutboundGuard, isPublicAddress, OutboundBlockedError, originOf } from './outbound-guard.ts';

const offLimits = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
  'localhost',
  '127.1',
  '0x7f.1',
  '',
];
const onTheInternet = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'];

describe('addresses', () => {
  for (const address of offLimits) {
    it(`the outbound guard keeps away from ${address || 'an empty address'}`, () =>
      assert.equal(isPublicAddress(address), false));
  }
  for (const address of onTheInternet) {
    it(`the outbound guard may reach ${address}`, () => assert.equal(isPublicAddress(address), true));
  }
});

describe('literal hosts', () => {
  it('literal hosts in URLs are refused without a look-up when they are not public', () => {
    const guard = createOutboundGuard();
    assert.throws(() => guard.checkHost('127.0.0.1', 'http://127.0.0.1'), OutboundBlockedError);
    assert.throws(() => guard.checkHost('::1', 'http://[::1]'), OutboundBlockedError);
    assert.doesNotThrow(() => guard.checkHost('8.8.8.8', 'http://8.8.8.8'));
    assert.doesNotThrow(() => guard.checkHost('example.com', 'http://example.com'));
  });

  it('literal hosts in URLs are exempt only at the exact origin, in any spelling of it', () => {
    const guard = createOutboundGuard({ allowOrigins: ['http://127.0.0.1:5380', 'HTTP://LOCALHOST:80/'] });
    assert.doesNotThrow(() => guard.checkHost('127.0.0.1', 'http://127.0.0.1:5380'));
    assert.throws(() => guard.checkHost('127.0.0.1', 'http://127.0.0.1:5381'), OutboundBlockedError);
    assert.throws(() => guard.checkHost('127.0.0.1', 'https://127.0.0.1:5380'), OutboundBlockedError);
    assert.equal(guard.isExempt('http://localhost'), true);
    assert.equal(guard.isExempt('https://localhost'), false);
  });

  it('literal hosts in URLs have one spelling of their origin for every scheme in use', () => {
    assert.equal(originOf(new URL('https://Example.com/a?b')), 'https://example.com:443');
    assert.equal(originOf(new URL('whois://127.0.0.1')), 'whois://127.0.0.1:43');
    assert.equal(originOf(new URL('whois://127.0.0.1:4343')), 'whois://127.0.0.1:4343');
  });
});

describe('look-ups', () => {
  const resolved = (addresses: string[], origin = 'https://example.com', allowOrigins: string[] = []) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      const guard = createOutboundGuard({ allowOrigins, resolve: () => Promise.resolve(addresses) });
      guard.lookup(origin)('example.com', { all: true }, (error, found) => {
        if (error) reject(error);
        else resolve(Array.isArray(found) ? found : []);
      });
    });

  it('guarded look-ups of host names hand over public addresses only', async () => {
    assert.deepEqual(await resolved(['10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111']), [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('guarded look-ups of host names fail when only private addresses are left, and say so', async () => {
    await assert.rejects(resolved(['127.0.0.1', '::1']), OutboundBlockedError);
    await assert.rejects(resolved([]), { code: 'ENOTFOUND' });
  });

  it('guarded look-ups of host names of an exempt origin hand over everything', async () => {
    assert.deepEqual(await resolved(['127.0.0.1'], 'http://example.com:81', ['http://example.com:81']), [
      { address: '127.0.0.1', family: 4 },
    ]);
  });

  it('guarded look-ups of host names return a single address of the requested family', async () => {
    const guard = createOutboundGuard({ resolve: () => Promise.resolve(['8.8.8.8', '2606:4700::1111']) });
    const found = await new Promise((resolve) => {
      guard.lookup('https://example.com')('example.com', { family: 6 }, (...answer) => resolve(answer));
    });
    assert.deepEqual(found, [null, '2606:4700::1111', 6]);
  });

  it('guarded look-ups of host names pass on the failure of the resolver', async () => {
    const guard = createOutboundGuard({ resolve: () => Promise.reject(new Error('DNS timeout')) });
    const error = await new Promise((resolve) => {
      guard.lookup('https://example.com')('example.com', {}, (failure) => resolve(failure));
    });
    assert.match(String(error), /DNS timeout/);
  });
});
