import assert from 'node:assert/strict';
import { it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { gateClient } from '../../../test/gate-client.ts';
import { runInProcess } from '../../../test/run-in-process.ts';
import { startApp } from '../../../test/start-app.ts';
import { sealDecisions } from '../../gates/segments/sealing.ts';
import { createSegmentsStore } from '../../gates/segments/segments-store.ts';

it('signalpost decisions export and erase say that a damaged part of the log may hold more about the subject', async () => {
  const dataDir = temporaryDirectory();
  const started = await startApp({}, { database: { url: null, dataDir } });
  try {
    const client = gateClient(started);
    const gate = await client.createGate();
    for (const email of ['jane@example.com', 'joe@example.com', 'jane@example.com', 'joe@example.net'])
      await client.decide(gate.id, { email });
    await client.call('GET', `/v1/gates/${gate.id}/decisions`);
    const store = createSegmentsStore(started.db);
    await sealDecisions(store, new AbortController().signal, { rows: 2, segments: 9 });
    const { no } = await started.db.read
      .selectFrom('decision_segments')
      .select('no')
      .orderBy('no')
      .executeTakeFirstOrThrow();
    await started.db.write
      .updateTable('decision_segments')
      .set({ body: Buffer.from('this is no block') })
      .where('no', '=', no)
      .execute();
    const env = { DATA_DIR: dataDir };
    const run = (what: string, email: string) =>
      runInProcess(['decisions', what, '--account', started.first.id, '--email', email], env);
    for (const what of ['export', 'erase']) {
      const { code, stderr } = await run(what, 'jane@example.com');
      assert.deepEqual([code, stderr.includes('1 damaged parts of the log may hold more')], [0, true], stderr);
      assert.equal((await run(what, 'joe@example.net')).stderr, '');
    }
  } finally {
    await started.close();
  }
});
