import { generateKey, keyDigest } from '../src/accounts/key-text/key-format.ts';
import type { Db } from '../src/db/db.ts';

const batchSize = 500;

/** Writes the rows that the command line would, many per statement; returns a key of each account. */
export async function addAccounts(db: Db, accounts: number): Promise<string[]> {
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
  for (let from = 0; from < accounts; from += batchSize) {
    const some = keys.slice(from, from + batchSize);
    const rows = some.map((_, index) => accountOf(from + index));
    await db.write.insertInto('accounts').values(rows).execute();
    const keyRows = some.map((key, index) => keyOf(key, from + index));
    await db.write.insertInto('keys').values(keyRows).execute();
  }
  return keys;
}
