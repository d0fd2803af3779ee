import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { createBlocklist } from '../src/blocklist/blocklist.ts';
import { createBlocklistStore } from '../src/blocklist/blocklist-store.ts';
import { openDatabase } from '../src/db/db.ts';
import { temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { serveSignalpost } from './signalpost-process.ts';

const kills = process.env.TEST_FULL === 'true' ? 20 : 8;
const batchSize = 200;
const writers = 3;

/** Sends batches until the connection breaks; adds the number of each acknowledged batch to `acknowledged`. */
async function write(url: string, key: string, nextBatch: () => number, acknowledged: Set<number>): Promise<void> {
  for (;;) {
    const batch = nextBatch();
    const domains = Array.from({ length: batchSize }, (_, index) => `d${index}.batch-${batch}.example`);
    const answer = await fetch(`${url}/blocklist/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domains }),
    }).catch(() => null);
    const body = (await answer?.json().catch(() => null)) as { succeeded: number } | null | undefined;
    if (body === null || body === undefined) return;
    assert.equal(body.succeeded, batchSize);
    acknowledged.add(batch);
  }
}

/** As `write`, with entries of a custom list. */
async function writeEntries(url: string, key: string, next: () => number, acknowledged: Set<number>): Promise<void> {
  const post = (path: string, sent: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    }).catch(() => null);
  const made = await post('/v1/lists', { name: `List ${next()}`, kind: 'text' });
  const list = (await made?.json().catch(() => null)) as { data: { id: string } } | null | undefined;
  for (let batch = next(); list !== null && list !== undefined; batch = next()) {
    const entries = Array.from({ length: batchSize }, (_, index) => ({ value: `${batch}/${index}` }));
    const answer = await post(`/v1/lists/${list.data.id}/entries`, { entries });
    const body = (await answer?.json().catch(() => null)) as { data: { added: number } } | null | undefined;
    if (body === null || body === undefined) return;
    assert.equal(body.data.added, batchSize);
    acknowledged.add(batch);
  }
}

/** Counts the entries of each batch in custom lists; checks that the lists' own counts agree. */
async function readEntryBatches(dataDir: string): Promise<Map<number, number>> {
  const db = await openDatabase({ url: null, dataDir });
  const lists = await db.read.selectFrom('custom_lists').select(['id', 'total', 'last_seq']).execute();
  const rows = await db.read.selectFrom('custom_list_entries').select(['list_id', 'key']).execute();
  await db.close();
  for (const { id, total, last_seq } of lists) {
    const stored = rows.filter((row) => row.list_id === id).length;
    assert.deepEqual([total, last_seq], [stored, stored]);
  }
  const batches = new Map<number, number>();
  for (const { key } of rows) batches.set(Number.parseInt(key, 10), (batches.get(Number.parseInt(key, 10)) ?? 0) + 1);
  return batches;
}

/** Counts the entries of each batch in the database; checks that the list's own count agrees. */
async function readBatches(dataDir: string, accountId: string): Promise<Map<number, number>> {
  const db = await openDatabase({ url: null, dataDir });
  const blocklist = createBlocklist(createBlocklistStore(db), { changedHere: () => {} }, Date.now);
  const owner = { accountId, environment: 'production' } as const;
  const batches = new Map<number, number>();
  let entries = 0;
  let oldest = '';
  for await (const { domain } of blocklist.all(owner)) {
    const batch = Number(/batch-(\d+)/.exec(domain)?.[1]);
    batches.set(batch, (batches.get(batch) ?? 0) + 1);
    oldest ||= domain;
    entries += 1;
  }
  const last = await blocklist.page(owner, Math.max(0, entries - 1), 1);
  await db.close();
  assert.equal(last.total, entries);
  assert.equal(last.entries[0]?.domain ?? '', oldest);
  return batches;
}

test(`kill -9 during bulk adds to a blocklist and to custom lists, ${kills} times: every acknowledged batch is stored, and none partially [D138 D148]`, async () => {
  const dataDir = temporaryDirectory();
  const acknowledged = new Set<number>();
  const acknowledgedEntries = new Set<number>();
  let sent = 0;
  let account = '';
  let key = '';
  for (let kill = 0; kill < kills; kill += 1) {
    const serving = await serveSignalpost({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    account ||= serving.account;
    key ||= serving.keys.production ?? '';
    // At a different point of its work each time.
    const enough = acknowledged.size + randomInt(1, 6);
    const writing = Array.from({ length: writers }, () => write(serving.url, key, () => sent++, acknowledged));
    const enoughEntries = acknowledgedEntries.size + 1;
    writing.push(writeEntries(serving.url, key, () => sent++, acknowledgedEntries));
    await until(() => acknowledged.size >= enough && acknowledgedEntries.size >= enoughEntries);
    await serving.stop('SIGKILL');
    await Promise.all(writing);
    const kept = await readBatches(dataDir, account);
    for (const batch of acknowledged) assert.equal(kept.get(batch), batchSize, `batch ${batch} after kill ${kill}`);
    for (const [batch, entries] of kept) assert.equal(entries, batchSize, `batch ${batch} is torn`);
    const keptEntries = await readEntryBatches(dataDir);
    for (const batch of acknowledgedEntries) assert.equal(keptEntries.get(batch), batchSize, `list batch ${batch}`);
    for (const [batch, entries] of keptEntries) assert.equal(entries, batchSize, `list batch ${batch} is torn`);
  }
  assert.ok(acknowledged.size >= kills);
});
