import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { withTopLevel } from './dns-zone.ts';
import { temporaryDirectory } from './engines.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

/** A host name of 233 characters with hardly any repetition, so that no automaton can be cached for it. */
function host(index: number): string {
  let state = index + 1;
  const letter = (): string => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0 ? 'a' : 'b';
  };
  return [60, 60, 60, 50].map((length) => Array.from({ length }, letter).join('')).join('.');
}

/** Tracks a hundred possible starts in parallel through every host, and never matches. All differ, because equal ones are tested once. */
const costly = (number: number) => ({
  field: 'domain.mx_records.*.hostname',
  operator: 'matches',
  value: `a${'[ab.]'.repeat(100)}[c-f]${number}`,
});
const costlyRules = 10;
const costlyConditions = 50;

/** Without a budget, one decision of this gate blocks the event loop for tens of seconds. */
describe('a gate of costly regular expressions', () => {
  let dns: DnsServer;
  let service: Serving;
  before(async () => {
    const hosts = Array.from({ length: 30 }, (_, index) => [index, host(index)] as const);
    dns = await startDnsServer(withTopLevel({ 'costly.net': { MX: hosts } }));
    service = await serveSignalpost({
      OFFLINE: 'false',
      DNS_SERVERS: dns.address,
      DNS_DEADLINE_MS: '20000',
      DATA_DIR: temporaryDirectory(),
      LISTS_REFRESH: 'off',
    });
  });
  after(async () => {
    await service.stop();
    await dns.close();
  });

  const call = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.keys.production}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };

  it('a gate of costly regular expressions leaves conditions beyond its budget unknown, counts them, and does not delay other requests [Q53]', async () => {
    const { data: gate } = await call<{ data: { id: string } }>('/v1/gates', { name: 'Costly', preset: 'none' });
    for (let count = 0; count < costlyRules; count += 1) {
      const conditions = Array.from({ length: costlyConditions }, (_, index) =>
        costly(count * costlyConditions + index),
      );
      await call(`/v1/gates/${gate.id}/rules`, { name: 'Costly', match: 'any', action: 'block', conditions });
    }
    const known = [{ field: 'domain.mx', operator: 'equals', value: true }];
    await call(`/v1/gates/${gate.id}/rules`, { name: 'Cheap', action: 'challenge', conditions: known });
    type Answer = { decision: { action: string }; signals: { domain: { mx_records: unknown[] } } };
    const decide = () => call<Answer>(`/v1/gates/${gate.id}/decisions`, { domain: 'costly.net' });
    const decisions = Promise.all([decide(), decide(), decide()]);
    let isDecided = false;
    const over = decisions.finally(() => {
      isDecided = true;
    });
    while (!isDecided) {
      // Far more than a busy machine needs, and far less than these decisions would take without a budget.
      const { status } = await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(10_000) });
      assert.equal(status, 200);
    }
    for (const { decision, signals } of await over) {
      assert.deepEqual([decision.action, signals.domain.mx_records.length], ['challenge', 30]);
    }
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const skipped = Number(/^signalpost_gate_patterns_skipped_total (\d+)$/m.exec(metrics)?.[1]);
    assert.ok(skipped > costlyConditions, `${skipped} conditions were skipped`);
  });
});
