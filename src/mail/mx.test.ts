import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { caseDomain, createZoneDns } from '../../test/mail/mail-zone.ts';
import { mxCases } from '../../test/mail/mx-cases.ts';
import { valueOrNull } from '../reading.ts';
import { readMx } from './mx.ts';

const deadline = { atMs: Number.POSITIVE_INFINITY };
const domain = caseDomain('example.com');

describe('MX records of a domain', () => {
  for (const mxCase of mxCases) {
    it(`MX records of a domain are read as documented: ${mxCase.name} (RFC or decision ${mxCase.rfc}) [D85 D86]`, async () => {
      const reading = await readMx(caseDomain(mxCase.domain), createZoneDns(mxCase), deadline);
      assert.deepEqual(valueOrNull(reading), mxCase.expected);
    });
  }

  it('MX records of a domain say why they are unknown', async () => {
    const reasons = { offline: 'offline', timeout: 'timeout', servfail: 'failed', busy: 'failed' } as const;
    for (const reason of ['offline', 'timeout', 'servfail', 'busy'] as const) {
      const dns = { ...createZoneDns({ zone: {} }), mx: () => Promise.resolve({ kind: 'failed', reason } as const) };
      assert.deepEqual(await readMx(domain, dns, deadline), { known: false, reason: reasons[reason] });
    }
  });

  it('MX records of a domain name the DNS as their source', async () => {
    const dns = createZoneDns({ zone: { 'example.com': { MX: [[10, 'mx.example.com']] } } });
    const reading = await readMx(domain, dns, deadline);
    assert.ok(reading.known);
    assert.deepEqual(reading.why?.(), [{ source: 'dns', detail: '10 mx.example.com' }]);
  });

  it('MX records of a domain are the first thirty of however many there are, and evidence names a few [D292]', async () => {
    const host = (index: number) => `h${String(index).padStart(3, '0')}.${'x'.repeat(60)}.example.net`;
    const MX = Array.from({ length: 1_000 }, (_, index) => [index % 2, host(999 - index)] as const);
    const reading = await readMx(domain, createZoneDns({ zone: { 'example.com': { MX } } }), deadline);
    assert.ok(reading.known);
    // Even places have priority 0, and the host names count down: the odd numbers from 1 on come first.
    const first = Array.from({ length: 30 }, (_, index) => ({ hostname: host(2 * index + 1), priority: 0 }));
    assert.deepEqual(reading.value, first);
    assert.match(reading.why?.()[0]?.detail ?? '', /^0 h001\.x+\.example\.net, .* and 25 more$/);
  });

  it('MX records of a domain never list what is not a host name, whatever the DNS holds [D87]', async () => {
    const pair = fc.tuple(fc.nat(65535), fc.oneof(fc.domain(), fc.string(), fc.ipV4(), fc.ipV6()));
    await fc.assert(
      fc.asyncProperty(fc.array(pair), async (MX) => {
        const value = valueOrNull(await readMx(domain, createZoneDns({ zone: { 'example.com': { MX } } }), deadline));
        assert.ok(value !== null);
        for (const { hostname } of value) assert.match(hostname, /^(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]*[a-z-][a-z0-9-]*$/);
        const priorities = value.map((record) => record.priority);
        assert.deepEqual(
          priorities,
          priorities.toSorted((left, right) => left - right),
        );
      }),
    );
  });
});
