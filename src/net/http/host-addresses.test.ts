import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DnsAnswer, DnsSource } from '../../mail/dns-source.ts';
import { createHostAddresses } from './host-addresses.ts';

function resolverOf(a: DnsAnswer<string>, aaaa: DnsAnswer<string>) {
  const none = { kind: 'none', missing: 'type' } as const;
  const dns: DnsSource = { a: () => a, aaaa: () => Promise.resolve(aaaa), mx: () => none, txt: () => none };
  return createHostAddresses(dns, () => 0)('example.com');
}

const none: DnsAnswer<string> = { kind: 'none', missing: 'name' };
const failed: DnsAnswer<string> = { kind: 'failed', reason: 'timeout' };
const records = (...addresses: string[]): DnsAnswer<string> => ({ kind: 'records', records: addresses });

describe('the addresses of a host', () => {
  it('the addresses of a host are those of both versions', async () => {
    assert.deepEqual(await resolverOf(records('8.8.8.8'), records('2001:4860::1')), ['8.8.8.8', '2001:4860::1']);
    assert.deepEqual(await resolverOf(none, none), []);
  });

  it('the addresses of a host are enough from one version while the other cannot be obtained', async () => {
    assert.deepEqual(await resolverOf(records('8.8.8.8'), failed), ['8.8.8.8']);
  });

  it('the addresses of a host are unavailable when there is none and a query failed', async () => {
    await assert.rejects(resolverOf(none, failed), /timeout/);
  });
});
