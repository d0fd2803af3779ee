import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { describeEngines, sqliteDatabase, temporaryDirectory } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { missingService, postgresServer, postgresUrl } from '../../test/services.ts';
import { type ChangeWatch, watchChanges } from '../../test/watch-changes.ts';
import { recordChange } from './changes.ts';
import { type Db, openDatabase } from './db.ts';

await describeEngines('changes', (fresh) => {
  let server: Db;
  let cli: Db;
  let passedMs: number;
  let seen: string[];
  let looksBegun: number;
  let watching: ChangeWatch;
  beforeEach(async () => {
    const options = await fresh();
    server = await openDatabase(options);
    cli = await openDatabase(options);
    passedMs = 0;
    seen = [];
    looksBegun = 0;
  });
  afterEach(async () => {
    watching.stop();
    await server.close();
    await cli.close();
  });

  /** The time, asked for at the beginning of each look. */
  const look = () => {
    looksBegun += 1;
    return passedMs;
  };
  const watch = () => {
    watching = watchChanges(
      server,
      { monotonicMs: look, intervalMs: 5 },
      (topic, scope) => seen.push(`${topic} ${scope}`),
      () => seen.push('gap'),
    );
    return watching.ready;
  };
  const change = (topic: string, scope: string, byClockMs = 1_794_709_445_571) =>
    cli.transaction((trx) => recordChange(trx, topic, scope, byClockMs));
  /** Lets every look fail until the function it gives is called. */
  const putAway = async () => {
    await sql`alter table changes rename to changes_away`.execute(cli.write);
    return () => sql`alter table changes_away rename to changes`.execute(cli.write);
  };
  /** Two looks that began after this call: whatever was there has been seen. */
  const looks = async () => {
    for (let i = 0; i < 2; i += 1) {
      passedMs += 1;
      await until(() => watching.lastSuccessMs() === passedMs);
    }
  };

  test('changes made by another process are reported once each; those from before the start are not reported', async () => {
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

  test('changes are reported again when the same scope changes after a long time', async () => {
    await watch();
    for (let round = 1; round <= 3; round += 1) {
      await change('keys', 'a');
      await until(() => seen.length === round);
      for (let i = 0; i < 5; i += 1) {
        passedMs += 20_000;
        await looks();
      }
    }
    assert.deepEqual(seen, ['keys a', 'keys a', 'keys a']);
  });

  test('changes in a transaction that is rolled back are not reported', async () => {
    await watch();
    const undone = cli.transaction(async (trx) => {
      await recordChange(trx, 'keys', 'a', 0);
      throw new Error('no');
    });
    await assert.rejects(undone);
    await looks();
    assert.deepEqual(seen, []);
  });

  test('changes are reported whatever the clocks of their writers show [Q50]', async () => {
    await watch();
    const days = 86_400_000;
    for (const [index, byClockMs] of [0, 40 * days, Date.now() + 40 * days, Date.now() - 2 * days].entries()) {
      await change('keys', 'a', byClockMs);
      await until(() => seen.length === index + 1);
      await looks();
    }
    assert.deepEqual(seen, ['keys a', 'keys a', 'keys a', 'keys a']);
  });

  test('changes made while storage is unavailable are all reported once it recovers', async () => {
    await watch();
    const back = await putAway();
    passedMs += 3_600_000;
    await back();
    await change('keys', 'a');
    await change('keys', 'b');
    await looks();
    assert.deepEqual(seen.sort(), ['keys a', 'keys b']);
  });

  test('changes made before the first look, when that look failed, are reported as a gap', async () => {
    const back = await putAway();
    const ready = watch();
    // The time is also asked for once when the watch begins. With the third look, the first two have failed.
    await until(() => looksBegun >= 4);
    await back();
    await ready;
    await looks();
    assert.deepEqual(seen, ['gap']);
    await change('keys', 'a');
    await looks();
    assert.deepEqual(seen, ['gap', 'keys a']);
  });

  test('changes are no longer looked for after a stop', async () => {
    await watch();
    watching.stop();
    const last = watching.lastSuccessMs();
    passedMs += 1_000;
    await change('keys', 'a');
    const stopped = watching;
    // Another watch, which looks as often, has time for many looks.
    await watch();
    await until(() => looksBegun >= 10);
    assert.equal(stopped.lastSuccessMs(), last);
    assert.deepEqual(seen, []);
  });
});

describe('changes in transactions that overlap', { skip: await missingService(postgresServer) }, () => {
  test('changes in transactions that overlap are reported even if transactions that began later were committed and seen first [Q51]', async () => {
    const options = { url: await postgresUrl(), dataDir: temporaryDirectory() };
    const [server, cli] = [await openDatabase(options), await openDatabase(options)];
    const seen: string[] = [];
    const watching = watchChanges(
      server,
      { monotonicMs: () => performance.now(), intervalMs: 5 },
      (_topic, scope) => seen.push(scope),
      () => seen.push('gap'),
    );
    await watching.ready;
    await cli.transaction(async (slow) => {
      await recordChange(slow, 'keys', 'slow', 0);
      for (let index = 0; index < 20; index += 1) {
        await cli.transaction((quick) => recordChange(quick, 'keys', `quick ${index}`, 0));
        await until(() => seen.includes(`quick ${index}`));
      }
    });
    await until(() => seen.includes('slow'));
    assert.equal(seen.length, 21);
    watching.stop();
    await Promise.all([server.close(), cli.close()]);
  });
});

test('a storage that went back to an older state is reported as a gap', async () => {
  const db = await openDatabase(sqliteDatabase());
  for (const scope of ['a', 'b']) await db.transaction((trx) => recordChange(trx, 'keys', scope, 0));
  const told = Promise.withResolvers<void>();
  const watching = watchChanges(
    db,
    { monotonicMs: () => performance.now(), intervalMs: 5 },
    () => {},
    () => told.resolve(),
  );
  await watching.ready;
  await db.write.deleteFrom('changes').where('scope', '=', 'b').execute();
  await told.promise;
  watching.stop();
  await db.close();
});
