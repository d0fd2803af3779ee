import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describeEngines } from '../../../test/engines.ts';
import { eventually } from '../../../test/eventually.ts';
import { tester } from '../../../test/tester.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../../db/db.ts';
import { ulid } from '../../ulid.ts';
import { createDecisionsStore } from '../decisions/decisions-store.ts';
import { createOutcomesStore } from '../decisions/outcomes-store.ts';
import { createGatesStore } from '../gates-store.ts';
import { createDecisionLog } from './decision-log.ts';
import { decodeSegment } from './segment-codec.ts';
import { createSegmentsStore } from './segments-store.ts';

const program = fileURLToPath(new URL('../../../test/gates/sealing-process.ts', import.meta.url));
/** More of them: KILLS=20. */
const kills = Number(process.env.KILLS ?? 4);
/** The step in progress at the kill, in rotation; null kills at a random moment. */
const moments = ['write', 'seal', 'merge', null] as const;

await describeEngines('a process killed while it seals and merges the log', (fresh) => {
  let db: Db;
  let options: DatabaseOptions;
  const gateId = ulid(0).toLowerCase();
  before(async () => {
    options = await fresh();
    db = await openDatabase(options);
    const account = { id: 'account', name: 'x', email: 'x@y.zz', plan: 'self-hosted', overage: 0, created_at: 0 };
    await db.write.insertInto('accounts').values(account).execute();
    const owner = { accountId: 'account', environment: 'production', by: tester } as const;
    const texts = { name: 'Gate', description: null, defaultAction: 'allow', wait: [] } as const;
    const gate = { ...texts, id: gateId, rules: [], revision: 1, createdAtMs: 0, updatedAtMs: 0 };
    assert.ok(await createGatesStore(db).insert(owner, gate, 10));
  });
  after(() => db.close());

  /** Ids that were written before the process was killed. */
  const runAndKill = async (killedIn: (typeof moments)[number]): Promise<string[]> => {
    const given = { ...options, gateId, killedIn, after: Math.floor(Math.random() * 6) };
    const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    const enough = killedIn === null ? 500 + Math.floor(Math.random() * 3_000) : Number.POSITIVE_INFINITY;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.length > enough || said.endsWith('kill me\n')) child.kill('SIGKILL');
    });
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGKILL');
    return said.split('\n').slice(0, killedIn === null ? -1 : -2);
  };

  it('a process killed while it writes, seals and merges the log leaves every entry that was written, and none twice', async () => {
    const written: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      written.push(...(await runAndKill(moments[round % moments.length] ?? null)));
      // The last statement sent to the database may still be running.
      await eventually(async () => {
        const recent = await db.read.selectFrom('decisions').select('id').execute();
        const segments = await db.read.selectFrom('decision_segments').select('body').execute();
        const sealed = segments.flatMap(({ body }) => decodeSegment(body).map(({ id }) => id));
        const kept = [...recent.map(({ id }) => id), ...sealed].sort();
        assert.equal(new Set(kept).size, kept.length);
        assert.deepEqual(
          written.filter((id) => !kept.includes(id)),
          [],
        );
        const listed = await createDecisionLog(
          createDecisionsStore(db),
          createSegmentsStore(db),
          createOutcomesStore(db),
        ).list(gateId, {}, 100_000);
        assert.deepEqual(listed.map(({ id }) => id).sort(), kept);
      });
    }
    assert.ok(
      (await db.read.selectFrom('decision_buckets').select('bucket').where('merged', '=', 1).execute()).length > 0,
    );
  });
});
