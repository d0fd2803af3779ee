import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Client } from 'pg';
import { openDatabase } from '../src/db/db.ts';
import { createFactsStore } from '../src/lookups/facts-store.ts';
import { temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { emptyPostgresUrl, missingService, postgresServer } from './services.ts';
import { runJson, spawnSignalpost } from './signalpost-process.ts';

/** Set a larger number by hand: the figures of docs/scaling.md use a million. */
const rows = Number(process.env.TEST_MOVE_ROWS ?? 30_000);

interface Moved {
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly checksum: string }[];
}

async function fill(dataDir: string): Promise<void> {
  const db = await openDatabase({ url: null, dataDir });
  const store = createFactsStore(db);
  for (let start = 0; start < rows; start += 5_000) {
    const facts = Array.from({ length: Math.min(5_000, rows - start) }, (_, index) => ({
      domain: `d${start + index}.example`,
      kind: 'mx' as const,
      value: [{ hostname: `mx.d${start + index}.example`, priority: 10 }],
      source: 'dns',
      learntAtMs: start + index,
    }));
    await store.save(facts);
  }
  await db.close();
}

it('a move whose process is killed resumes where it stopped, and copies every row once', {
  skip: await missingService(postgresServer),
}, async (t) => {
  const dataDir = temporaryDirectory();
  await fill(dataDir);
  const url = await emptyPostgresUrl();
  const target = new Client({ connectionString: url });
  await target.connect();
  const copied = async (): Promise<number> => {
    const { rows: found } = await target.query("select to_regclass('facts') as facts");
    if (found[0].facts === null) return 0;
    return Number((await target.query('select count(*) from facts')).rows[0].count);
  };
  const env = { DATA_DIR: dataDir };
  const first = spawnSignalpost(['move', '--to', url], env);
  await until(async () => (await copied()) >= rows / 10, 120_000);
  first.child.kill('SIGKILL');
  assert.equal((await first.finished).signal, 'SIGKILL');
  const before = await copied();
  assert.ok(before < rows, `${before} of ${rows} were copied before it could be killed`);
  const startedMs = performance.now();
  const { tables } = await runJson<Moved>(['move', '--to', url], env);
  t.diagnostic(`${before} of ${rows} rows before, the rest in ${Math.round(performance.now() - startedMs)} ms`);
  assert.equal(tables.find(({ table }) => table === 'facts')?.rows, rows);
  assert.equal(await copied(), rows);
  const { rows: left } = await target.query("select to_regclass('move_progress') as notes");
  assert.equal(left[0].notes, null);
  await target.end();
});
