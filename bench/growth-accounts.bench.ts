import { generateKey, keyDigest } from '../src/accounts/key-text/key-format.ts';
import type { StartedApp } from '../test/start-app.ts';
import { collectGarbage } from './collect-garbage.ts';
import { type BenchEngine, onEachEngine } from './each-engine.ts';
import { type LookupKind, lookUp, lookupCosts, startForLookups } from './lookup-cost.ts';
import { paced } from './pace.ts';
import { measurePauses } from './pauses.ts';
import type { Row } from './row.ts';

export const name = 'accounts';

const accounts = paced(10_000, 500);
const atOnce = 500;
const size = accounts.toLocaleString('en');

/** Lookups of many accounts in turn, against those of one: what is kept and written for each. */
export const run = (): Promise<Row[]> => onEachEngine(measure);

async function measure(engine: BenchEngine): Promise<Row[]> {
  const started = await startForLookups(await engine.fresh());
  try {
    const keys = await addAccounts(started);
    const domain = 'example.com';
    const one: LookupKind = { started, ask: () => ({ key: started.keys.production, domain }) };
    const many: LookupKind = { started, ask: (call) => ({ key: keys[call % keys.length] ?? '', domain }) };
    // Each key is read from the storage once.
    for (let call = 0; call < keys.length; call += 1) await lookUp(many, call);
    const [oneUs = Number.NaN, manyUs = Number.NaN] = await lookupCosts([one, many], creditsWithinMs);
    const row = `${engine.name}: lookup, ${size} accounts in turn`;
    return [
      { what: `${engine.name}: lookup, one account`, value: oneUs, unit: 'µs' },
      { what: row, value: manyUs, unit: 'µs', ratio: manyUs / oneUs, goal: '≤ 1.1' },
      ...(await pauseRows(engine.name, many, keys.length)),
    ];
  } finally {
    await started.close();
  }
}

/** Written as the command line would, but many at a time. */
async function addAccounts({ db }: StartedApp): Promise<string[]> {
  const keys = Array.from({ length: accounts }, () => generateKey('production'));
  const accountOf = (index: number) => ({
    id: `bench-${index}`,
    name: 'Bench',
    email: 'bench@example.com',
    plan: 'self-hosted',
    overage: 0,
    created_at: 0,
  });
  const keyOf = (key: string, index: number) => ({
    ...keyDigest(key),
    id: `key-${index}`,
    account_id: `bench-${index}`,
    environment: 'production',
    name: null,
    created_at: 0,
    revoked_at: null,
    expires_at: null,
    last_used_at: null,
  });
  for (let from = 0; from < accounts; from += atOnce) {
    const some = keys.slice(from, from + atOnce);
    const rows = some.map((_, index) => accountOf(from + index));
    await db.write.insertInto('accounts').values(rows).execute();
    const keyRows = some.map((key, index) => keyOf(key, from + index));
    await db.write.insertInto('keys').values(keyRows).execute();
  }
  return keys;
}

/** Every account looks something up, and then nobody: how long what is written of it holds the loop. */
async function pauseRows(engine: string, many: LookupKind, count: number): Promise<Row[]> {
  collectGarbage();
  const pauses = measurePauses();
  for (let call = 0; call < count; call += 1) {
    await lookUp(many, call);
    await pauses.turn();
  }
  const endMs = performance.now() + writtenWithinMs;
  while (performance.now() < endMs) await pauses.turn();
  const what = `${engine}: longest pause while what ${size} accounts used is written`;
  return [
    { what: `${what}, wall clock`, value: pauses.longestMs(), unit: 'ms' },
    { what: `${what}, processor time`, value: pauses.longestBusyMs(), unit: 'ms', goal: '≤ 20' },
  ];
}

/** Credits are written twice a second. */
const creditsWithinMs = 700;
/** Counts of lookups after 20 seconds at the latest. */
const writtenWithinMs = paced(23_000, 4_000);
