import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Logger, pino } from 'pino';
import { openDatabase } from '../src/db/db.ts';
import { createHistories } from '../src/waves/detection/histories.ts';
import { createDetectionStore } from '../src/waves/detection-store.ts';
import { decodeMembers, encodeMembers } from '../src/waves/wave-members.ts';
import { type CreateDatabase, describeEngines } from './engines.ts';
import { startApp } from './start-app.ts';
import { storeWave } from './stored-wave.ts';

const noBlock = Buffer.from('this is no block');

/** A log that remembers its lines. */
function recordingLog(): { log: Logger; lines: { msg: string; table?: string }[] } {
  const lines: { msg: string; table?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

await describeEngines('damaged blocks', (fresh: CreateDatabase) => {
  it('a damaged block of traffic neither stops the start nor later polls, and is reported once [D706]', async () => {
    const database = await fresh();
    const db = await openDatabase(database);
    const blocks = { process: 'other', kind: 'counts', body: noBlock, created_at: Date.now() } as const;
    await db.write.insertInto('traffic_blocks').values(blocks).execute();
    await db.close();
    const { log, lines } = recordingLog();
    const started = await startApp({}, { database, log });
    const job = () => started.app.jobs().find(({ name }) => name === 'read-traffic');
    assert.equal(job()?.failures ?? 0, 0);
    const { text } = await started.request('GET', '/metrics');
    assert.match(text, /signalpost_damaged_blocks_total\{table="traffic_blocks"\} 1/);
    const { text: diagnostics } = await started.request('GET', '/diagnostics');
    assert.deepEqual(JSON.parse(diagnostics).processes[0].storage.damaged_blocks, { traffic_blocks: 1 });
    await started.close();
    const reports = lines.filter(({ table }) => table === 'traffic_blocks');
    assert.equal(reports.length, 1);
    assert.match(
      reports[0]?.msg ?? '',
      /^block 1 of traffic_blocks is damaged and was skipped: .* expires within a day/,
    );
  });

  it('a wave with a damaged chunk of decisions is shown and reported with the others [D706]', async () => {
    const started = await startApp({}, { database: await fresh() });
    try {
      const id = await storeWave(started);
      const member = { atMs: started.clock.now(), idEnd: 1, action: 0, member: 5, domain: 6, ip: 0 };
      const chunks = [noBlock, encodeMembers([member])].map((body, no) => ({ wave_id: id, no, body }));
      await started.db.write.insertInto('wave_members').values(chunks).execute();
      const path = `/v1/waves/${id}`;
      const { status, text } = await started.request('GET', path, { key: started.keys.production });
      assert.equal(status, 200, text);
      const report = { key: started.keys.production, body: { outcome: 'bad' } };
      assert.equal((await started.request('PUT', `${path}/outcome`, report)).status, 200);
      const record = await createDetectionStore(started.db).storedWave(id);
      assert.deepEqual(record?.chunks.flatMap(decodeMembers), [member]);
      assert.deepEqual(started.db.damagedBlocks.counts(), { wave_members: 1 });
    } finally {
      await started.close();
    }
  });

  it('the detection of waves skips a damaged hour and keeps the others [D706]', async () => {
    const db = await openDatabase(await fresh());
    const owner = { accountId: 'account', environment: 'production' } as const;
    const store = createDetectionStore(db);
    const histories = createHistories(store);
    for (const hour of [1, 2, 3]) await histories.add(owner, hour, [], () => null);
    const [first] = await store.hours(owner, 1, 2);
    const flipped = Buffer.from(first?.body ?? []);
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    await db.write.updateTable('traffic_hours').set({ body: flipped }).where('hour', '=', 2).execute();
    assert.deepEqual(
      (await store.hours(owner, 0, 9)).map(({ hour }) => hour),
      [1, 3],
    );
    await histories.of(owner, 0, 4 * 3_600_000, () => null);
    assert.deepEqual(db.damagedBlocks.counts(), { traffic_hours: 1 });
    await db.close();
  });
});
