import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseIp } from '../address/ip.ts';
import { type Observation, standing } from './observation.ts';
import { decodeObservations, encodeObservations } from './observation-block.ts';
import { createSubjectHashes } from './subject-hashes.ts';
import { createTraffic } from './traffic.ts';
import { createTrafficCounts } from './traffic-counts.ts';

it('an observation is read from its block as it was counted, with its decision', () => {
  const nowMs = Date.UTC(2026, 10, 17, 12, 4, 59, 990);
  const counted: Observation[] = [];
  const { count, decided } = createTraffic({
    counts: createTrafficCounts(1_000_000),
    hashes: createSubjectHashes('a secret'),
    now: () => nowMs,
    onCounted: (seen) => counted.push(seen),
  });
  const visit = {
    owner: { accountId: 'account', environment: 'production' as const },
    address: 'jane@example.com',
    spelling: 'j.ane@example.com',
    domain: 'example.com',
    mailServer: 'mx.example',
    ip: parseIp('203.0.113.7'),
    standing: standing.established,
    shape: 'aaaa',
  };
  const values = count(visit, 0);
  const decision = { id: '01KA3W2N8Q6W5T0G0VJ9F4ZC6D', action: 'challenge', createdAtMs: nowMs + 25 } as const;
  decided(values, decision);
  decided([], decision);
  const [seen] = counted;
  assert.ok(seen);
  assert.deepEqual([seen.decisionId, seen.action, seen.madeAtMs], [decision.id, 3, decision.createdAtMs]);
  count(visit, 0);
  assert.deepEqual(decodeObservations(encodeObservations(counted)), [
    { ...seen, decisionId: '9F4ZC6D'.slice(1) },
    { ...counted[1], decisionId: '000000' },
  ]);
});
