import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describeEngines } from '../../test/engines.ts';
import { type ChangeWatch, recordChange, watchChanges } from './changes.ts';
import { type Db, openDatabase } from './db.ts';

await describeEngines('changes', (fresh) => {
  let server: Db;
  let cli: Db;
  let nowMs: number;
  let seen: string[];
  let watching: ChangeWatch;
  beforeEach(async () => {
    const options = await fresh();
    server = await openDatabase(options);
    cli = await openDatabase(options);
    nowMs = 1_794_709_445_571;
    seen = [];
  });
  afterEach(async () => {
    watching.stop();
    await server.close();
    await cli.close();
  });

  const watch = () => {
    watching = watchChanges(
      server,
      { now: () => nowMs, intervalMs: 5 },
      (topic, scope) => seen.push(`${topic} ${scope}`),
      () => seen.push('gap'),
    );
    return watching.ready;
  };
  const change = (topic: string, scope: string) => cli.transaction((trx) => recordChange(trx, topic, scope, nowMs));
  const until = async (condition: () => boolean) => {
    while (!condition()) await sleep(2);
  };
  /** Two looks that began after this call: whatever was there has been seen. */
  const looks = async () => {
    for (let i = 0; i < 2; i += 1) {
      nowMs += 1;
      await until(() => watching.lastSuccessMs() === nowMs);
    }
  };

  test('of another process are told once each, those from before the start never', async () => {
    await change('keys', 'old');
    await watch();
    await change('keys', 'a');
    await change('blocklist', 'a');
    await looks();
    assert.deepEqual(seen.sort(), ['blocklist a', 'keys a']);
    await change('keys', 'a');
    await change('keys', 'old');
    await looks();
    assert.deepEqual(seen.sort(), ['blocklist a', 'keys a', 'keys a', 'keys old']);
  });

  test('are told again after a long silence of the same scope', async () => {
    await watch();
    for (let round = 1; round <= 3; round += 1) {
      await change('keys', 'a');
      await until(() => seen.length === round);
      for (let i = 0; i < 5; i += 1) {
        nowMs += 20_000;
        await looks();
      }
    }
    assert.deepEqual(seen, ['keys a', 'keys a', 'keys a']);
  });

  test('of a transaction that is rolled back are not told', async () => {
    await watch();
    const undone = cli.transaction(async (trx) => {
      await recordChange(trx, 'keys', 'a', nowMs);
      throw new Error('no');
    });
    await assert.rejects(undone);
    await looks();
    assert.deepEqual(seen, []);
  });

  test('that may have been missed are told as a gap', async () => {
    await watch();
    await sql`alter table changes rename to changes_away`.execute(cli.write);
    nowMs += 30_000;
    await sleep(20);
    assert.deepEqual(seen, []);
    await sql`alter table changes_away rename to changes`.execute(cli.write);
    await looks();
    assert.deepEqual(seen, ['gap']);
    await change('keys', 'a');
    await looks();
    assert.deepEqual(seen, ['gap', 'keys a']);
  });

  test('are looked for no more after the stop', async () => {
    await watch();
    watching.stop();
    const last = watching.lastSuccessMs();
    nowMs += 1_000;
    await change('keys', 'a');
    await sleep(30);
    assert.equal(watching.lastSuccessMs(), last);
    assert.deepEqual(seen, []);
  });
});
