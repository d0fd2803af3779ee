import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gateClient } from '../../../test/gate-client.ts';
import { startApp } from '../../../test/start-app.ts';
import { sealDecisions } from '../segments/sealing.ts';
import { createSegmentsStore } from '../segments/segments-store.ts';

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly meta: { readonly next_cursor: string | null; readonly entries_missing?: true };
}

it('a damaged segment of the log is skipped, and pages that it may concern say that entries are missing [D706]', async () => {
  const started = await startApp();
  try {
    const client = gateClient(started);
    const gate = await client.createGate();
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1)
      ids.unshift((await client.decide(gate.id, { email: `person${index}@example.com` })).meta.decision_id);
    const page = async (query: string) => {
      const { status, json, text } = await client.call<Page>('GET', query);
      assert.equal(status, 200, text);
      return [json.data.map(({ id }) => ids.indexOf(id)), json.meta.entries_missing];
    };
    const log = `/v1/gates/${gate.id}/decisions`;
    await page(log);
    await sealDecisions(createSegmentsStore(started.db), new AbortController().signal, { rows: 2, segments: 9 });
    assert.deepEqual(await page(log), [[0, 1, 2, 3, 4, 5], undefined]);
    const [, second] = await started.db.read
      .selectFrom('decision_segments')
      .select(['no', 'body'])
      .orderBy('no')
      .execute();
    const body = Buffer.from(second?.body ?? []);
    body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
    await started.db.write
      .updateTable('decision_segments')
      .set({ body })
      .where('no', '=', second?.no ?? 0)
      .execute();
    for (const path of [log, '/v1/decisions']) {
      assert.deepEqual(await page(path), [[0, 1, 4, 5], true], path);
      assert.deepEqual(await page(`${path}?limit=1`), [[0], undefined], `${path}, a page before the damage`);
    }
    type Backtest = { readonly data: { readonly evaluated: number; readonly complete: boolean } };
    const backtest = await client.call<Backtest>('POST', `/v1/gates/${gate.id}/backtest`, { rules: [] });
    assert.equal(backtest.status, 200, backtest.text);
    const { evaluated, complete } = backtest.json.data;
    assert.deepEqual([evaluated, complete], [4, false]);
  } finally {
    await started.close();
  }
});
