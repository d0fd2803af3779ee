import { MissingProgramError } from '../scripts/programs.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../src/db/db.ts';
import { createAddressKeys } from '../src/gates/decisions/address-key.ts';
import { toLoggedRow } from '../src/gates/decisions/decision-entry.ts';
import { createDecisionRecorder } from '../src/gates/decisions/decision-recorder.ts';
import { pruneDecisions } from '../src/gates/decisions/decision-retention.ts';
import { createDecisionsStore, type LogFilter } from '../src/gates/decisions/decisions-store.ts';
import { createOutcomesStore } from '../src/gates/decisions/outcomes-store.ts';
import { createStatsStore } from '../src/gates/decisions/stats-store.ts';
import { createDecisionLog, type DecisionLog } from '../src/gates/segments/decision-log.ts';
import { sealDecisions } from '../src/gates/segments/sealing.ts';
import { createSegmentsStore } from '../src/gates/segments/segments-store.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { runJobs } from '../test/run-jobs.ts';
import { postgresUrl } from '../test/services.ts';
import { gateId, type MadeDecision, type MadeDecisions, makeDecisions } from './made-decisions.ts';
import { paced } from './pace.ts';
import { measurePauses, type Pauses } from './pauses.ts';
import type { Row } from './row.ts';
import { median } from './time-per-call.ts';

export const name = 'growth';

/** `GROWTH_ENGINE=SQLite` runs only half of this hour of work. */
const isWanted = (engine: string): boolean => (process.env.GROWTH_ENGINE ?? engine) === engine;
const total = Number(process.env.GROWTH_ROWS ?? paced(10_000_000, 50_000));
/** Decisions logged alternately into the full log and into an empty one, and the number of rounds. */
const perRound = Math.min(20_000, Math.floor(total / 5));
const rounds = paced(9, 3);
const days = 30;
const dayMs = 86_400_000;
/** Decisions per iteration of the event loop. */
const perTurn = 20;
/** Pending entries at most, below the bound at which the service drops them. */
const maxPending = 10_000;
const searches = paced(60, 10);
const size = total.toLocaleString('en');
const keys = createAddressKeys('plain', ['bench']);

/** A log of ten million decisions by the service's own writer: its cost, size, searches and pruning. */
export async function run(): Promise<Row[]> {
  const made = await makeDecisions();
  const rows = isWanted('SQLite') ? await measure('SQLite', { url: null, dataDir: temporaryDirectory() }, made) : [];
  try {
    if (!isWanted('PostgreSQL')) return rows;
    const database = { url: await postgresUrl(), dataDir: temporaryDirectory() };
    rows.push(...(await measure('PostgreSQL', database, made)));
  } catch (error) {
    if (!(error instanceof MissingProgramError)) throw error;
    console.error(error.message);
  }
  return rows;
}

async function measure(engine: string, database: DatabaseOptions, made: MadeDecisions): Promise<Row[]> {
  const writer = await openWriter(database);
  const { db, log } = writer;
  const emptyBytes = (await db.sizes()).databaseBytes;
  const startedMs = performance.now();
  const pauses = measurePauses();
  await writer.record(total, (index) => made.at(index, timeOf(index)), pauses);
  const seconds = (performance.now() - startedMs) / 1_000;
  await writer.compact();
  const bytes = (await db.sizes()).databaseBytes - emptyBytes;
  const rows: Row[] = [
    { what: `${engine}: log ${size} decisions`, value: seconds, unit: 's' },
    { what: `${engine}: bytes per decision, without a vacuum`, value: bytes / total, unit: 'B', goal: '≤ 150' },
    ...pauseRows(`${engine}: longest pause while logging`, pauses),
    ...(await searchRows(engine, log, made)),
    ...(await costRows(engine, writer, made)),
    ...(await pruneRows(engine, db, log)),
  ];
  await writer.stop();
  await db.close();
  return rows;
}

/** The log of a database, with the service's own writer. */
interface Writer {
  readonly db: Db;
  readonly log: DecisionLog;
  /** Logs decisions as fast as they are accepted, and waits until they are written. */
  record(count: number, make: (index: number) => MadeDecision, pauses: Pauses): Promise<void>;
  /** Seals and merges where enough entries have accumulated. */
  compact(): Promise<void>;
  stop(): Promise<void>;
}

async function openWriter(database: DatabaseOptions): Promise<Writer> {
  const db = await openDatabase(database);
  await addGate(db);
  const segments = createSegmentsStore(db);
  const log = createDecisionLog(createDecisionsStore(db), segments, createOutcomesStore(db));
  const recorder = createDecisionRecorder({
    store: log,
    toRow: (decision) => toLoggedRow(decision, keys),
    onDropped: (entries, error) => fail(error ?? new Error(`${entries} entries were dropped`)),
  });
  const compact = () => sealDecisions(segments, new AbortController().signal);
  const failure = 'not written';
  const jobs = runJobs([
    { name: 'seal', everyMs: 1_000, failure, run: compact },
    { name: 'flush', everyMs: 400, failure, run: () => recorder.buffer.flush() },
    { name: 'sync', everyMs: 500, failure, run: () => db.fsync() },
  ]);
  return {
    db,
    log,
    async record(count, make, pauses) {
      for (let index = 0; index < count; index += 1) {
        const { decision, evaluation } = make(index);
        recorder.record(decision, evaluation);
        if (index % perTurn === 0) await pauses.turn();
        while (recorder.buffer.pending() > maxPending) await pauses.turn();
        if (index % 1_000_000 === 999_999) report(db.engine, index + 1, pauses);
      }
      await recorder.buffer.flush();
    },
    compact: async () => void (await compact()),
    stop: jobs.stop,
  };
}

/** The cost of a decision with the full log and with an empty one, measured alternately, because the machine has other work. */
async function costRows(engine: string, full: Writer, made: MadeDecisions): Promise<Row[]> {
  const url = full.db.engine === 'postgres' ? await postgresUrl() : null;
  const empty = await openWriter({ url, dataDir: temporaryDirectory() });
  const costs = { empty: [] as number[], full: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const which of ['empty', 'full'] as const) {
      const before = process.cpuUsage();
      const writer = which === 'full' ? full : empty;
      const make = (index: number) => made.at(total + round * perRound + index, endMs);
      await writer.record(perRound, make, measurePauses());
      await writer.compact();
      const { user, system } = process.cpuUsage(before);
      costs[which].push((user + system) / perRound);
    }
  }
  await empty.stop();
  await empty.db.close();
  const [emptyUs, fullUs] = [median(costs.empty), median(costs.full)];
  return [
    { what: `${engine}: processor time to make and log a decision, empty log`, value: emptyUs, unit: 'µs' },
    {
      what: `${engine}: processor time to make and log a decision, ${size} in the log`,
      value: fullUs,
      unit: 'µs',
      ratio: fullUs / emptyUs,
      goal: '≤ 1.1',
    },
  ];
}

/** Entries of a missing gate are not logged, so it must exist. */
async function addGate(db: Db): Promise<void> {
  const account = { id: 'bench', name: 'Bench', email: 'bench@example.com', plan: 'self-hosted', overage: 0 };
  await db.write
    .insertInto('accounts')
    .values({ ...account, created_at: 0 })
    .execute();
  const gate = { id: gateId, account_id: account.id, environment: 'production', name: 'Bench', description: null };
  const state = { default_action: 'allow', wait: '[]', rule_ids: '[]', created_at: 0, updated_at: 0 };
  await db.write
    .insertInto('gates')
    .values({ ...gate, ...state })
    .execute();
}

const endMs = Date.now();
/** Evenly over a month. */
const timeOf = (index: number): number => Math.floor(endMs - days * dayMs + (index / total) * days * dayMs);

async function searchRows(engine: string, log: DecisionLog, made: MadeDecisions): Promise<Row[]> {
  const list = (filter: LogFilter) => log.list(gateId, filter, 51);
  const address = (index: number): LogFilter => {
    const { localPart, domain } = made.addressOf(index);
    return { emailKeys: keys.all(localPart, domain) };
  };
  const somewhere = (step: number) => Math.floor(((step + 0.5) / searches) * total);
  const row = async (what: string, run: (step: number) => Promise<unknown>, goal = ''): Promise<Row> => {
    const times: number[] = [];
    for (let step = 0; step < searches; step += 1) {
      const startedMs = performance.now();
      await run(step);
      times.push(performance.now() - startedMs);
    }
    times.sort((one, other) => one - other);
    return { what: `${engine}: ${what}`, value: times[searches >> 1] ?? 0, unit: 'ms', ...(goal && { goal }) };
  };
  const found = await list(address(somewhere(0)));
  if (found.length === 0) throw new Error('an address that is in the log was not found');
  return [
    await row('find an address anywhere in the log', (step) => list(address(somewhere(step)))),
    await row('find an address that is not there', (step) => list(address(total + step))),
    await row('the newest page', () => list({})),
    await row('a page in the middle', (step) => list({ toMs: timeOf(somewhere(step)) })),
    await row('an action with a rule that never has it', () => list({ actions: ['allow'], ruleId: 'rule-1' })),
  ];
}

async function pruneRows(engine: string, db: Db, log: DecisionLog): Promise<Row[]> {
  const pauses = measurePauses();
  let isDone = false;
  const startedMs = performance.now();
  const pruning = pruneDecisions(log, createStatsStore(db), endMs, days / 2).then(() => {
    isDone = true;
  });
  while (!isDone) await pauses.turn();
  await pruning;
  return [
    { what: `${engine}: remove the older half`, value: (performance.now() - startedMs) / 1_000, unit: 's' },
    ...pauseRows(`${engine}: longest pause while removing the older half`, pauses),
  ];
}

function pauseRows(what: string, pauses: Pauses): Row[] {
  return [
    { what: `${what}, wall clock`, value: pauses.longestMs(), unit: 'ms' },
    { what: `${what}, processor time`, value: pauses.longestBusyMs(), unit: 'ms', goal: '≤ 20' },
  ];
}

/** Prints progress: the run takes an hour. */
function report(engine: string, entries: number, pauses: Pauses): void {
  const [busyMs, ms] = [pauses.longestBusyMs(), pauses.longestMs()].map(Math.round);
  console.error(`${engine}: ${entries.toLocaleString('en')} entries, longest pause ${busyMs} ms (${ms} by the clock)`);
}

function fail(error: unknown): never {
  throw error;
}
