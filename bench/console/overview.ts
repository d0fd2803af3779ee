// node bench/console/overview.ts [entries] [sqlite|postgres]: the requests of the console's overview, on a month of log entries (ten million
// by default) of a hundred gates with all possible counters and 100,000 audited changes, on each engine.
import assert from 'node:assert/strict';
import { createDecisionsStore } from '../../src/gates/decisions/decisions-store.ts';
import { createOutcomesStore } from '../../src/gates/decisions/outcomes-store.ts';
import { createDecisionLog } from '../../src/gates/segments/decision-log.ts';
import { createSegmentsStore } from '../../src/gates/segments/segments-store.ts';
import { temporaryDirectory } from '../../test/engines.ts';
import { untilAnswer } from '../../test/eventually.ts';
import { inject } from '../../test/inject.ts';
import { postgresUrl } from '../../test/services.ts';
import { signedIn } from '../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { benchTable, type Row } from '../row.ts';
import { median } from '../time-per-call.ts';
import { type LoggingGate, writeCounters, writeLongLog } from './long-log.ts';

const entries = Number(process.argv[2] ?? 10_000_000);
const onlyEngine = process.argv[3];
const gateCount = 100;
const rounds = 31;

const calls = [
  '/production/overview?range=24h',
  '/production/overview?range=7d',
  '/production/overview?range=30d',
  '/production/v1/decisions?action=block&limit=8',
  '/production/v1/decisions?limit=1',
  '/production/gates-summary',
  '/production/v1/waves?limit=100',
  '/lists',
] as const;
/** What the page requests when it opens. */
const opening: readonly string[] = [calls[1], calls[3], calls[6], calls[7]];

/** Creates the gates, and a few hundred real decisions from which the log is generated. */
async function makeGates(started: StartedApp): Promise<LoggingGate[]> {
  const gates: LoggingGate[] = [];
  for (let count = 0; count < gateCount; count += 1) {
    const { json } = await started.request<{ data: { id: string; rules: { id: string }[] } }>('POST', '/v1/gates', {
      key: started.keys.production,
      body: { name: `Gate ${count}` },
    });
    gates.push({ id: json.data.id, ruleIds: json.data.rules.map(({ id }) => id) });
  }
  return gates;
}

async function sampleEntries({ request, keys, db }: StartedApp, gate: LoggingGate) {
  for (let count = 0; count < 300; count += 1) {
    const domain = count % 12 === 0 ? 'mailinator.com' : `domain-${count}.example`;
    const body = { email: `person${count}@${domain}`, ip: `203.0.113.${count % 250}` };
    const { status } = await request('POST', `/v1/gates/${gate.id}/decisions`, { key: keys.production, body });
    assert.equal(status, 200);
  }
  const log = createDecisionLog(createDecisionsStore(db), createSegmentsStore(db), createOutcomesStore(db));
  return await untilAnswer(
    () => log.list(gate.id, {}, 300),
    (rows) => rows.length === 300,
  );
}

async function measure(started: StartedApp, engine: string): Promise<Row[]> {
  const { cookie } = await signedIn(started, { role: 'operator' });
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  const rows: Row[] = [];
  let openingMs = 0;
  for (const path of calls) {
    const times: number[] = [];
    const processor: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // The service counts the requests per second.
      started.clock.advance(1_000);
      const before = process.cpuUsage();
      const startMs = performance.now();
      const { status, text } = await inject(started.app.server, {
        method: 'GET',
        path: `/console/api${path}`,
        headers,
      });
      times.push(performance.now() - startMs);
      const { user, system } = process.cpuUsage(before);
      processor.push((user + system) / 1_000);
      assert.equal(status, 200, text);
    }
    const goal = path.includes('overview') ? '≤ 50' : '';
    if (opening.includes(path)) openingMs += median(processor);
    rows.push({ what: `${engine}: ${path}`, value: median(times), unit: 'ms', goal });
    rows.push({ what: `${engine}: ${path}, processor time of the service`, value: median(processor), unit: 'ms' });
  }
  rows.push({
    what: `${engine}: all requests of the overview, processor time of the service`,
    value: openingMs,
    unit: 'ms',
    goal: '≤ 100',
  });
  return rows;
}

const measured: Row[] = [];
const urls =
  onlyEngine === 'sqlite' ? [null] : onlyEngine === 'postgres' ? [await postgresUrl()] : [null, await postgresUrl()];
for (const url of urls) {
  const started = await startApp({ ACCOUNT_CPU_PERCENT: '100' }, { database: { url, dataDir: temporaryDirectory() } });
  try {
    const gates = await makeGates(started);
    const sample = await sampleEntries(started, gates[0] ?? { id: '', ruleIds: [] });
    // Segments are numbered as they are written: the sample must be older than the log that is generated from it.
    started.clock.advance(31 * 24 * 3_600_000);
    const nowMs = started.clock.now();
    await writeLongLog(started.db, gates, entries, sample, nowMs);
    await writeCounters(started.db, gates, { accountId: started.first.id, environment: 'production' }, nowMs);
    measured.push(...(await measure(started, started.db.engine)));
  } finally {
    await started.close();
  }
}
console.log(benchTable(measured.map((row) => ({ bench: 'console', ...row }))));
