import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { MissingProgramError } from '../scripts/programs.ts';
import { createMembership } from '../src/blocklist/membership.ts';
import { createMembershipStore } from '../src/blocklist/membership-store.ts';
import type { DatabaseOptions } from '../src/db/db.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { postgresUrl } from '../test/services.ts';
import { type StartedApp, startApp } from '../test/start-app.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';

export const name = 'blocklist';

const entries = paced(1_000_000, 5_000);
const batch = 1_000;
/** Entries per page of the list. */
const perPage = 25;
const size = entries.toLocaleString('en');
const calls = 200;
const rounds = paced(15, 3);

/** A list of a million entries: adding, paging and lookups, on each engine through the whole HTTP stack. */
export async function run(): Promise<Row[]> {
  const rows = await measure('SQLite', { url: null, dataDir: temporaryDirectory() });
  try {
    rows.push(...(await measure('PostgreSQL', { url: await postgresUrl(), dataDir: temporaryDirectory() })));
  } catch (error) {
    if (!(error instanceof MissingProgramError)) throw error;
    console.error(error.message);
  }
  return rows;
}

async function measure(engine: string, database: DatabaseOptions): Promise<Row[]> {
  const started = await startApp({}, { database });
  try {
    const addedSeconds = await fill(started);
    // PostgreSQL analyses a table by itself within a minute; until then reads are ten times slower.
    if (database.url !== null) await sql`analyze`.execute(started.db.write);
    const readSeconds = await readIntoMemory(started);
    const { production, staging } = started.keys;
    // The service reads the list on the first lookup; until it has, the database answers.
    await started.request('GET', '/domain/d.example', { key: production });
    await sleep(3_000 * readSeconds);
    const [emptyMs, fullMs] = await medians(started, [
      [staging, (call) => `/domain/d${call}.example`],
      [production, (call) => `/domain/d${call}.example`],
    ]);
    const pages = [1, entries / perPage / 2, entries / perPage];
    const [firstMs, ...laterMs] = await medians(
      started,
      pages.map((page) => [production, () => `/blocklist?page=${page}`]),
    );
    return [
      {
        what: `${engine}: add 100,000 in batches of 1,000`,
        value: (addedSeconds * 100_000) / entries,
        unit: 's',
        goal: '≤ 60 s',
      },
      { what: `${engine}: read ${size} entries into memory`, value: readSeconds, unit: 's' },
      ratioRow(`${engine}: lookup beside ${size} entries, against none`, fullMs, emptyMs, '≤ 1.10'),
      ...laterMs.map((ms, index) =>
        ratioRow(`${engine}: page ${pages[index + 1]?.toLocaleString('en')}, against page 1`, ms, firstMs, '≤ 2'),
      ),
    ];
  } finally {
    await started.close();
  }
}

const ratioRow = (what: string, ms = Number.NaN, baselineMs = Number.NaN, goal = ''): Row => ({
  what,
  value: ms * 1_000,
  unit: 'µs',
  ratio: ms / baselineMs,
  goal,
});

/** Names in random order, as in real requests: neighbours in a request are far apart in the index. */
const domainOf = (index: number): string => `${Math.imul(index, 0x9e3779b1) >>> 0}.d${index}.example`;

async function fill(started: StartedApp): Promise<number> {
  const startMs = performance.now();
  for (let from = 0; from < entries; from += batch) {
    const domains = Array.from({ length: batch }, (_, index) => domainOf(from + index));
    const { status, text } = await started.request('POST', '/blocklist/bulk', {
      key: started.keys.production,
      body: { domains },
    });
    if (status !== 200) throw new Error(text);
  }
  return (performance.now() - startMs) / 1_000;
}

/** Reads the list as the first lookup does. */
async function readIntoMemory({ db, first, clock }: StartedApp): Promise<number> {
  const membership = createMembership({
    store: createMembershipStore(db),
    monotonicMs: clock.monotonicMs,
    lastLookMs: clock.monotonicMs,
    onError: (error) => console.error(error),
  });
  const startMs = performance.now();
  while (membership.has({ accountId: first.id, environment: 'production' }, 'x') instanceof Promise) await sleep(5);
  return (performance.now() - startMs) / 1_000;
}

/** Milliseconds per call of each kind, alternately; the median of the rounds. */
async function medians(
  { request, clock }: StartedApp,
  kinds: readonly (readonly [key: string, path: (call: number) => string])[],
): Promise<number[]> {
  const times = kinds.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    // Every second round reverses the order, so that the after-effects of one kind do not always hit the same next one.
    const order = round % 2 === 0 ? [...kinds.entries()] : [...kinds.entries()].reverse();
    for (const [kind, [key, path]] of order) {
      // The clock is stopped, so throughput must be refilled by hand.
      clock.advance(1_000);
      const startMs = performance.now();
      for (let call = 0; call < calls; call += 1) await request('GET', path(call), { key });
      // The first round warms up.
      if (round > 0) times[kind]?.push((performance.now() - startMs) / calls);
    }
  }
  return times.map((values) => values.sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN);
}
