import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../src/db/db.ts';
import { createFactsStore } from '../src/lookups/facts-store.ts';
import { temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { startApp } from './start-app.ts';

const dayMs = 86_400_000;

test('expired facts are removed soon after the start, and the database file shrinks', async () => {
  const dataDir = temporaryDirectory();
  const size = (): number => statSync(join(dataDir, 'signalpost.db')).size;
  const db = await openDatabase({ url: null, dataDir });
  const store = createFactsStore(db);
  const fact = (index: number, ageDays: number) => ({
    domain: `old-${index}.example`,
    kind: 'spf' as const,
    value: 'x'.repeat(1_000),
    source: 'dns',
    learntAtMs: Date.now() - ageDays * dayMs,
  });
  await store.save(Array.from({ length: 10_000 }, (_, index) => fact(index, index === 0 ? 89 : 91)));
  await db.close();
  const fullBytes = size();
  assert.ok(fullBytes > 10_000_000);
  const service = await startApp({}, { database: { url: null, dataDir } });
  try {
    await until(async () => (await service.db.read.selectFrom('facts').select('domain').execute()).length === 1);
    // Five seconds after the start or, if the facts were not removed by then, a minute later.
    await until(() => size() < fullBytes / 2, 120_000);
  } finally {
    await service.close();
  }
});
