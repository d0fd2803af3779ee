import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Logger, pino } from 'pino';
import { openDatabase } from '../src/db/db.ts';
import { type CreateDatabase, describeEngines } from './engines.ts';
import { startApp } from './start-app.ts';

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
});
