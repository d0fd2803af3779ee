/**
 * The cost of storing ten million seen domains, and of comparing them with lists to which 200,000 names are added:
 * `node bench/flagging.ts [names] [postgres URL]`. It takes some minutes and is not part of `npm run bench`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reversedName } from '../src/address/reversed-name.ts';
import { type Db, openDatabase } from '../src/db/db.ts';
import { createWorkLeases } from '../src/db/work-leases.ts';
import { changedNames, listsDigest } from '../src/lists/changed-names.ts';
import { entryBehind } from '../src/lists/entry-behind.ts';
import { listLookup } from '../src/lists/list-lookup.ts';
import { type ListState, listState } from '../src/lists/list-state.ts';
import { operatorEntries } from '../src/lists/operator/operator-entries.ts';
import { Flag } from '../src/lists/snapshot/flags.ts';
import { buildTable } from '../src/lists/snapshot/list-table.ts';
import { createYielder } from '../src/platform/yielding.ts';
import { createFlaggingStore } from '../src/seen/flagging/flagging-store.ts';
import { createListsComparison, propagationMs } from '../src/seen/flagging/lists-comparison.ts';
import { encodeSeen } from '../src/seen/seen-block.ts';
import { pruneSeen, sealDays } from '../src/seen/seen-retention.ts';
import { searchSeen } from '../src/seen/seen-search.ts';
import { createSeenStore, type SeenRow, type SeenStore } from '../src/seen/seen-store.ts';
import { announce } from '../src/webhooks/announce-store.ts';
import { seededRandom } from './seeded-random.ts';

const [wantedNames = '10000000', url = null] = process.argv.slice(2);
const allNames = Number(wantedNames);
const days = 30;
const today = Math.floor(Date.now() / 86_400_000);
const addedNames = 200_000;
const never = new AbortController().signal;
const monotonicMs = () => performance.now();
const { integer, pick, sample } = seededRandom(15);

const syllables = [
  'ba',
  'cor',
  'del',
  'fin',
  'gra',
  'hol',
  'ka',
  'lu',
  'mer',
  'no',
  'pi',
  'ra',
  'sol',
  'tek',
  'vi',
  'zen',
];
const suffixes = ['com', 'com', 'com', 'net', 'org', 'de', 'co.uk', 'fr', 'io', 'xyz', 'shop'];

/** A random domain; one in five is a mail host below one. */
function randomDomain(): string {
  const word = Array.from({ length: 3 + integer(4) }, () => pick(syllables)).join('');
  const number = integer(2) === 0 ? '' : `${integer(10_000)}`;
  return `${integer(5) === 0 ? 'mail.' : ''}${word}${number}.${pick(suffixes)}`;
}

const owners = Array.from({ length: 200 }, (_, index) => `01k${index.toString().padStart(23, '0')}`);

function dayOfRows(count: number): SeenRow[] {
  const rows = new Map<string, SeenRow>();
  while (rows.size < count) {
    const row = {
      name: reversedName(randomDomain()),
      account_id: pick(owners),
      environment: 'production' as const,
      flagged: integer(10) === 0 ? 1 : 0,
    };
    rows.set(`${row.name} ${row.account_id}`, row);
  }
  return [...rows.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Fills a day as sealing does, without the rows before it. */
async function fillDay(db: Db, day: number, rows: readonly SeenRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 1_000) {
    await db.write
      .insertInto('seen_blocks')
      .values({ day, ...encodeSeen(rows.slice(start, start + 1_000)) })
      .execute();
  }
}

/** Runs work; prints its duration and the longest time it blocked the event loop. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const spentMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longestMs = 0;
  let lastMs = spentMs();
  const looking = setInterval(() => {
    longestMs = Math.max(longestMs, spentMs() - lastMs);
    lastMs = spentMs();
  }, 1);
  const startedMs = monotonicMs();
  const startedSpentMs = spentMs();
  const result = await work();
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
  const cost = `${seconds(monotonicMs() - startedMs)}, of which ${seconds(spentMs() - startedSpentMs)} of the main thread`;
  clearInterval(looking);
  console.log(`${what}: ${cost}, longest without a break ${longestMs.toFixed(0)} ms`);
  return result;
}

function lists(names: readonly string[]): ListState {
  const header = {
    builtAt: '',
    fingerprint: '',
    sources: [],
    counts: {},
    droppedSuffixes: [],
    refused: [],
    providers: [],
  };
  const entries = names.map((name) => ({ name, flags: Flag.strong, sources: 1, provider: 0 }));
  const snapshot = {
    header: { ...header, roles: [], roleWords: [], rolePlaces: [] },
    table: buildTable(entries),
    sizeBytes: 0,
  };
  return listState(snapshot, operatorEntries([]));
}

async function compareAll(db: Db, seen: SeenStore, [one = '', ...seenNames]: readonly string[]): Promise<void> {
  const known = [...new Set(Array.from({ length: 200_000 }, (_, index) => `known${index}.example`))];
  // One in twenty was seen by an environment.
  const fresh = new Set(seenNames);
  while (fresh.size < addedNames) fresh.add(`fresh${fresh.size}.${pick(suffixes)}`);
  let state = lists(known);
  let clockShiftMs = 0;
  const lookup = listLookup(
    () => state,
    () => null,
  );
  const store = createFlaggingStore(db);
  const compare = createListsComparison<ListState>({
    lists: Object.assign(lookup, {
      entryBehind: (kind: 'disposable' | 'relay' | 'spam', name: string) => entryBehind(state, kind, name),
      changedSince: (revision: ListState, yieldWhenDue: () => Promise<void> | null) =>
        changedNames(revision, state, yieldWhenDue),
      digest: (yieldWhenDue: () => Promise<void> | null) => listsDigest(state, yieldWhenDue),
    }),
    search: (wanted, yieldWhenDue) => searchSeen(wanted, { store: seen, sinceDay: today - days, yieldWhenDue }),
    comparing: { leases: createWorkLeases(db, 'bench', monotonicMs), store },
    notifying: {
      store,
      today: () => today,
      notify: (trx, owner, flagged) =>
        announce(
          trx,
          owner,
          flagged.map(({ domain }) => ({ type: 'domain.flagged.disposable', data: { domain }, atMs: Date.now() })),
        ),
    },
    createYielder: () => createYielder(monotonicMs),
    monotonicMs: () => monotonicMs() + clockShiftMs,
  });
  const compareAll = async (): Promise<number> => {
    await compare();
    clockShiftMs += propagationMs;
    return compare();
  };
  console.log('notified:', await timed('start: every seen domain is compared', compareAll));
  state = lists([...known, ...fresh]);
  console.log('notified:', await timed(`${addedNames} names added`, compareAll));
  state = lists([...known, ...fresh, one]);
  console.log('notified:', await timed('one name added', compareAll));
}

const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
const db = await openDatabase({ url, dataDir });
try {
  const seen = createSeenStore(db);
  const perDay = Math.ceil(allNames / days);
  console.log(`${db.engine}, ${allNames} names on ${days} days`);
  const lastDay = dayOfRows(perDay);
  const shuffled = lastDay.toSorted((one, other) => (one.name.slice(-6) < other.name.slice(-6) ? -1 : 1));
  await timed(`${perDay} rows of one day written`, async () => {
    for (let start = 0; start < shuffled.length; start += 200)
      await seen.add(shuffled.slice(start, start + 200).map((row) => ({ ...row, day: today - 1 })));
  });
  await timed('the day sealed', () => sealDays(seen, today, never));
  // Some names recur on other days, as in real traffic.
  for (let day = today - days; day < today - 1; day += 1)
    await fillDay(
      db,
      day,
      lastDay.map((row) => ({ ...row, name: `${row.name}${day % 9 || ''}` })),
    );
  const { databaseBytes } = await db.sizes();
  const bytes = db.engine === 'sqlite' ? statSync(join(dataDir, 'signalpost.db')).size : databaseBytes;
  console.log(`the database: ${(bytes / 1_000_000).toFixed(0)} MB, ${(bytes / allNames).toFixed(1)} bytes a name`);
  const unflagged = lastDay.filter(({ flagged }) => flagged === 0).map(({ name }) => reversedName(name));
  await compareAll(db, seen, sample(unflagged.slice(0, 3 * (addedNames / 20)), addedNames / 20));
  await timed('the oldest day removed', () => pruneSeen(seen, today - days + 1, never));
} finally {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
}
