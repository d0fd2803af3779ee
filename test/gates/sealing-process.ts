// Logs and seals decisions as fast as it can until it is killed; prints each id once it is written. `killedIn` names the
// transaction in which it asks to be killed: after all its statements and before the commit.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDatabase } from '../../src/db/db.ts';
import { createDecisionsStore } from '../../src/gates/decisions/decisions-store.ts';
import { createOutcomesStore } from '../../src/gates/decisions/outcomes-store.ts';
import { createDecisionLog } from '../../src/gates/segments/decision-log.ts';
import { batchOf } from '../../src/gates/segments/entry-batch.ts';
import { sealDecisions } from '../../src/gates/segments/sealing.ts';
import { createSegmentsStore } from '../../src/gates/segments/segments-store.ts';
import { ulid } from '../../src/ulid.ts';

const { dataDir, url, gateId, killedIn, after } = JSON.parse(process.argv[2] ?? '') as {
  dataDir: string;
  url: string | null;
  gateId: string;
  /** Null: the test kills the process at any time. */
  killedIn: 'write' | 'seal' | 'merge' | null;
  /** How many of these transactions to commit before. */
  after: number;
};
const opened = await openDatabase({ dataDir, url });
let passed = 0;

/** The database, with transactions that pause before their commit. */
const stoppingIn = (what: typeof killedIn): Db => {
  const transaction: Db['transaction'] = (work) =>
    opened.background.transaction(async (trx) => {
      const done = await work(trx);
      if (what !== killedIn || passed++ < after) return done;
      process.stdout.write('kill me\n');
      await sleep(60_000);
      throw new Error('the test did not kill this process');
    });
  return { ...opened, background: { ...opened.background, transaction } };
};

const segments = createSegmentsStore(opened);
const { seal } = createSegmentsStore(stoppingIn('seal'));
const { merge } = createSegmentsStore(stoppingIn('merge'));
const log = createDecisionLog(createDecisionsStore(stoppingIn('write')), segments, createOutcomesStore(opened), 12);
const notEnded = new AbortController().signal;
const rest = { gateId, action: 'allow', ruleId: null, emailKey: null, domain: 'example.com', ip: null, entry: '{}' };
// Alternates between a small batch of rows and one that is large enough to be sealed directly.
for (let length = 11; ; length = 23 - length) {
  const rows = Array.from({ length }, () => ({ ...rest, id: ulid(Date.now()) }));
  await log.write(batchOf(rows), []);
  process.stdout.write(rows.map(({ id }) => `${id}\n`).join(''));
  await sealDecisions({ ...segments, seal, merge }, notEnded, { rows: 10, segments: 4 });
}
