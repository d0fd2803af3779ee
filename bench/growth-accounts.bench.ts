import { generateKey, keyDigest } from '../src/accounts/key-text/key-format.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/db.ts';
import { type BenchEngine, onEachEngine } from './each-engine.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { costsOfLoads, type LoadKind } from './server-under-load.ts';

export const name = 'accounts';

const accounts = paced(10_000, 500);
const atOnce = 500;
const size = accounts.toLocaleString('en');
/** Lookups of many accounts in turn, against those of one: what is kept and written for each. */
export const run = (): Promise<Row[]> => onEachEngine(measure);

async function measure(engine: BenchEngine): Promise<Row[]> {
  const kinds = [await kindOf(await engine.fresh(), 1), await kindOf(await engine.fresh(), accounts)];
  const [one, many] = await costsOfLoads(kinds);
  if (one === undefined || many === undefined) throw new Error('a load was not measured');
  const row = `${engine.name}: GET /domain, ${size} accounts in turn`;
  return [
    { what: `${engine.name}: GET /domain, one account`, value: one.answerUs, unit: 'CPU µs' },
    { what: row, value: many.answerUs, unit: 'CPU µs', ratio: many.answerUs / one.answerUs, goal: '≤ 1.1' },
    { what: `${row}: longest pause`, value: many.longestPauseMs, unit: 'CPU ms', goal: '≤ 20' },
  ];
}

async function kindOf(database: DatabaseOptions, count: number): Promise<LoadKind> {
  const db = await openDatabase(database);
  try {
    const keys = await addAccounts(db, count);
    return { database, request: { method: 'GET', path: '/domain/example.com' }, keys };
  } finally {
    await db.close();
  }
}

/** Written as the command line would, but many at a time. */
async function addAccounts(db: Db, accounts: number): Promise<string[]> {
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
