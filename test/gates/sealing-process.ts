// Logs decisions and seals them as fast as it can, until it is killed; prints each id once it is written. `killedIn` names
// what it is in the middle of when it asks to be killed: all statements are done, and nothing is committed.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDatabase } from '../../src/db/db.ts';
import { createDecisionsStore } from '../../src/gates/decisions/decisions-store.ts';
import { createDecisionLog } from '../../src/gates/segments/decision-log.ts';
import { batchOf } from '../../src/gates/segments/entry-batch.ts';
import { sealDecisions } from '../../src/gates/segments/sealing.ts';
import { createSegmentsStore } from '../../src/gates/segments/segments-store.ts';
import { ulid } from '../../src/ulid.ts';

const { dataDir, url, gateId, killedIn, after } = JSON.parse(process.argv[2] ?? '') as {
  dataDir: string;
  url: string | null;
  gateId: string;
  /** Null leaves the moment to whoever kills. */
  killedIn: 'write' | 'seal' | 'merge' | null;
  /** How many of them are let pass before. */
  after: number;
};
const opened = await openDatabase({ dataDir, url });
let passed = 0;

/** The database, with transactions that stop before they are committed. */
const stoppingIn = (what: typeof killedIn): Db => {
  const transaction: Db['transaction'] = (work) =>
    opened.background.transaction(async (trx) => {
      const done = await work(trx);
      if (what !== killedIn || passed++ < after) return done;
      process.stdout.write('kill me\n');
      await sleep(60_000);
      throw new Error('nobody killed this process');
    });
  return { ...opened, background: { ...opened.background, transaction } };
};

const segments = createSegmentsStore(opened);
const { seal } = createSegmentsStore(stoppingIn('seal'));
const { merge } = createSegmentsStore(stoppingIn('merge'));
const log = createDecisionLog(createDecisionsStore(stoppingIn('write')), segments, 12);
const notEnded = new AbortController().signal;
const rest = { gateId, action: 'allow', ruleId: null, emailKey: null, domain: 'example.com', ip: null, entry: '{}' };
// By turns a batch that goes into the table, and one that is large enough to be sealed at once.
for (let length = 11; ; length = 23 - length) {
  const rows = Array.from({ length }, () => ({ ...rest, id: ulid(Date.now()) }));
  await log.write(batchOf(rows), []);
  process.stdout.write(rows.map(({ id }) => `${id}\n`).join(''));
  await sealDecisions({ ...segments, seal, merge }, notEnded, { rows: 10, segments: 4 });
}
