import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { openDatabase } from '../db/db.ts';
import { createKeyUsage } from './key-usage.ts';
import { createKeysStore } from './keys-store.ts';

const minuteMs = 60_000;

await describeEngines('the last use of keys', (fresh) => {
  it('a flush writes the last use of each used key, leaves other keys unchanged, and never moves a last use back', async (context) => {
    const db = await openDatabase(await fresh());
    context.after(() => db.close());
    const account = { id: 'bench', name: 'A', email: 'a@example.com', plan: 'self-hosted', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
    const ids = Array.from({ length: 1_202 }, (_, index) => `key-${index}`);
    const common = { account_id: 'bench', environment: 'production', name: null, prefix: '', last4: '', created_at: 0 };
    const rows = ids.map((id) => ({ ...common, id, hash: id, revoked_at: null, expires_at: null, last_used_at: null }));
    for (let start = 0; start < rows.length; start += 500) {
      await db.write
        .insertInto('keys')
        .values(rows.slice(start, start + 500))
        .execute();
    }
    let nowMs = 5 * minuteMs;
    const clocks = { now: () => nowMs, monotonicMs: () => nowMs };
    const usage = createKeyUsage({ usedSince: () => ids.slice(1) }, createKeysStore(db), clocks);
    const countByMinute = async () => {
      const counted = await db.read
        .selectFrom('keys')
        .select(['last_used_at'])
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .groupBy('last_used_at')
        .orderBy('count')
        .execute();
      return counted.map(({ last_used_at, count }) => [last_used_at, Number(count)]);
    };
    await usage.flush();
    assert.deepEqual(await countByMinute(), [
      [null, 1],
      [5 * minuteMs, 1_201],
    ]);
    nowMs = 4 * minuteMs;
    await usage.flush();
    assert.deepEqual((await countByMinute())[1], [5 * minuteMs, 1_201]);
  });
});
