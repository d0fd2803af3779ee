import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAddressKeys } from '../decisions/address-key.ts';
import type { LogFilter, LoggedRow } from '../decisions/decisions-store.ts';
import type { OutcomeRow } from '../decisions/outcomes-store.ts';
import type { Gates } from '../gates.ts';
import { createOutcomes } from './outcomes.ts';
import type { ReportedOutcome } from './outcomes-input.ts';

it('reads each decision a fixed number of times, however many items are about its address, and the last item wins [D442]', async () => {
  let reads = 0;
  const entry = JSON.stringify(['', '1', 0, {}, null, ['jane@example.com'], [], null]);
  const rows = Array.from({ length: 1_000 }, (_, index): LoggedRow => {
    const id = `01K${String(index).padStart(23, '0')}`;
    return {
      id,
      gateId: 'gate',
      action: 'allow',
      ruleId: null,
      emailKey: `jane+${index}@example.com`,
      domain: 'example.com',
      ip: null,
      get entry() {
        reads += 1;
        return entry;
      },
    };
  }).reverse();
  const written: OutcomeRow[] = [];
  const outcomes = createOutcomes({
    gates: { list: async () => [{ id: 'gate' }] } as unknown as Pick<Gates, 'list'>,
    decisions: {
      async listOf(_gateIds, { beforeId = '~' }: LogFilter, limit) {
        return rows.filter(({ id }) => id < beforeId).slice(0, limit);
      },
    },
    store: { write: async (some) => void written.push(...some), remove: async () => {} },
    recorder: { tryFlush: async () => {} },
    keys: createAddressKeys('plain', ['secret']),
    now: () => 0,
    onStored() {},
  });
  const reported = Array.from({ length: 1_000 }, (_, index): ReportedOutcome => {
    const outcome = index === 999 ? 'bad' : 'good';
    return { about: { address: 'jane@example.com' }, outcome, reason: null };
  });
  const owner = { accountId: 'account', environment: 'production' } as const;
  const applied = await outcomes.apply(owner, reported);
  assert.deepEqual(applied, { matched: 1_000, decisions: 1_000, unmatched: [] });
  assert.deepEqual([written.length, new Set(written.map(({ outcome }) => outcome))], [1_000, new Set(['bad'])]);
  assert.ok(reads <= 3 * rows.length, `${reads} reads of ${rows.length} entries`);
});
