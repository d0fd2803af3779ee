// Logs decisions and seals them as fast as it can, until it is killed; prints each id once it is written.
import { openDatabase } from '../../src/db/db.ts';
import { createDecisionsStore } from '../../src/gates/decisions/decisions-store.ts';
import { sealDecisions } from '../../src/gates/segments/sealing.ts';
import { createSegmentsStore } from '../../src/gates/segments/segments-store.ts';
import { ulid } from '../../src/ulid.ts';

const { dataDir, url, gateId } = JSON.parse(process.argv[2] ?? '') as {
  dataDir: string;
  url: string | null;
  gateId: string;
};
const db = await openDatabase({ dataDir, url });
const store = createDecisionsStore(db);
const segments = createSegmentsStore(db);
const notEnded = new AbortController().signal;
const rest = { gateId, action: 'allow', ruleId: null, emailKey: null, domain: 'example.com', ip: null, entry: '{}' };
for (;;) {
  const rows = Array.from({ length: 12 }, () => ({ ...rest, id: ulid(Date.now()) }));
  await store.write(rows, []);
  process.stdout.write(rows.map(({ id }) => `${id}\n`).join(''));
  await sealDecisions(segments, notEnded, { rows: 10, segments: 4 });
}
