import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { createAddressKeys } from '../decisions/address-key.ts';
import type { Decision } from '../decisions/decision.ts';
import { toLoggedRow } from '../decisions/decision-entry.ts';
import type { LogFilter, LoggedRow } from '../decisions/decisions-store.ts';
import { runBacktest } from './backtest.ts';

const keys = createAddressKeys('plain', ['secret']);
const decision = (number: number): Decision => ({
  id: String(1_000_000 - number),
  gateId: 'gate',
  requestId: 'request',
  version: '1',
  revision: 1,
  createdAtMs: 0,
  durationMs: 0,
  input: { domain: 'example.com' },
  action: 'allow',
  matchedRule: null,
  deviceKey: null,
  hookId: null,
  otherRuleIds: [],
  signals: signalsFromFields({ 'domain.name': 'example.com' }),
  showsTraffic: false,
});

/** A log of so many decisions, newest first. */
function logOf(count: number) {
  const rows: LoggedRow[] = Array.from({ length: count }, (_, number) => toLoggedRow(decision(number), keys));
  return {
    async listOf(_gateIds: readonly string[], { beforeId }: LogFilter, limit: number) {
      const start = beforeId === undefined ? 0 : rows.findIndex(({ id }) => id === beforeId) + 1;
      return rows.slice(start, start + limit);
    },
  };
}

const gate = { id: 'gate', defaultAction: 'block', rules: [] } as const;
const proposal = { rules: [], defaultAction: null, against: 'log' } as const;

describe('a backtest', () => {
  it('a backtest looks at the newest 10,000 decisions at most, and shows 20 of those that change [Q33 Q69]', async () => {
    const result = await runBacktest(gate, proposal, { store: logOf(10_300), monotonicMs: () => 0 });
    assert.deepEqual([result.evaluated, result.changed, result.examples.length], [10_000, 10_000, 20]);
    assert.equal(result.complete, false);
    assert.deepEqual(result.changes, [{ from: 'allow', to: 'block', count: 10_000, good: 0, bad: 0 }]);
    assert.equal(result.examples[0]?.logged.id, '1000000');
  });

  it('a backtest stops when its time is over and reports what it has seen [Q69]', async () => {
    let passedMs = 0;
    const monotonicMs = () => {
      passedMs += 1;
      return passedMs;
    };
    const { evaluated, complete } = await runBacktest(gate, proposal, {
      store: logOf(10_000),
      monotonicMs,
      cpuMs: monotonicMs,
    });
    assert.ok(evaluated > 100 && evaluated < 2_000, String(evaluated));
    assert.equal(complete, false);
  });

  it('a backtest lets others be served while it runs', async () => {
    let turns = 0;
    let running = true;
    const count = () => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    let passedMs = 0;
    const monotonicMs = () => {
      passedMs += 0.03;
      return passedMs;
    };
    await runBacktest(gate, proposal, { store: logOf(5_000), monotonicMs });
    running = false;
    assert.ok(turns > 10, String(turns));
  });

  it('a backtest evaluates nothing when the log is empty, and is complete [Q69]', async () => {
    const result = await runBacktest(gate, proposal, { store: logOf(0), monotonicMs: () => 0 });
    assert.deepEqual(result, { evaluated: 0, complete: true, changed: 0, changes: [], examples: [] });
  });
});
