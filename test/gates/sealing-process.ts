// Logs decisions and seals them as fast as it can, until it is killed; prints each id once it is written.
import { openDatabase } from '../../src/db/db.ts';
import { createDecisionsStore } from '../../src/gates/decisions/decisions-store.ts';
import { createDecisionLog } from '../../src/gates/segments/decision-log.ts';
import { batchOf } from '../../src/gates/segments/entry-batch.ts';
import { sealDecisions } from '../../src/gates/segments/sealing.ts';
import { createSegmentsStore } from '../../src/gates/segments/segments-store.ts';
import { ulid } from '../../src/ulid.ts';

const { dataDir, url, gateId } = JSON.parse(process.argv[2] ?? '') as {
  dataDir: string;
  url: string | null;
  gateId: string;
};
const db = await openDatabase({ dataDir, url });
const segments = createSegmentsStore(db);
const log = createDecisionLog(createDecisionsStore(db), segments, 12);
const notEnded = new AbortController().signal;
const rest = { gateId, action: 'allow', ruleId: null, emailKey: null, domain: 'example.com', ip: null, entry: '{}' };
// By turns a batch that goes into the table, and one that is large enough to be sealed at once.
for (let length = 11; ; length = 23 - length) {
  const rows = Array.from({ length }, () => ({ ...rest, id: ulid(Date.now()) }));
  await log.write(batchOf(rows), []);
  process.stdout.write(rows.map(({ id }) => `${id}\n`).join(''));
  await sealDecisions(segments, notEnded, { rows: 10, segments: 4 });
}
