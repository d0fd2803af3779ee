import type { Owner } from '../http/endpoint.ts';
import type { YieldWhenDue } from '../platform/yielding.ts';
import { decodeSeen } from './seen-block.ts';
import type { BlockSpan, SeenRow, SeenStore } from './seen-store.ts';

/** Names to search for, from their end and of two labels at least: `com.example`. Null: all names. */
export type Wanted = ReadonlySet<string> | null;

/** A name that an environment saw, and its flags then. */
export interface Sighting {
  /** From its end: `com.example.mail`. */
  readonly name: string;
  readonly owner: Owner;
  readonly flagged: number;
}

export interface SearchOptions {
  readonly store: Pick<SeenStore, 'openDays' | 'page' | 'under' | 'blocks' | 'body'>;
  /** Sightings before this day are left out. */
  readonly sinceDay: number;
  readonly yieldWhenDue: YieldWhenDue;
}

/** Up to so many names are queried one by one among the rows of a day; for more of them all rows are read. */
const maxQueries = 200;
const pageRows = 1_000;
const pageBlocks = 500;
/** Texts sorted without yielding, a few milliseconds. */
const sortedPerSlice = 4_000;

/**
 * The sightings of the wanted names and their subdomains, some at a time, one for each day and environment. Rows come before
 * blocks: a row that is sealed meanwhile is found twice rather than not at all.
 */
export async function* searchSeen(wanted: Wanted, options: SearchOptions): AsyncGenerator<readonly Sighting[]> {
  if (wanted?.size === 0) return;
  const days = (await options.store.openDays()).filter((day) => day >= options.sinceDay);
  for (const day of days) {
    if (wanted !== null && wanted.size <= maxQueries) yield* namedRows(day, wanted, options);
    else yield* allRows(day, wanted, options);
  }
  yield* sealedNames(wanted, options);
}

async function* namedRows(
  day: number,
  wanted: ReadonlySet<string>,
  { store }: SearchOptions,
): AsyncGenerator<Sighting[]> {
  for (const name of wanted) yield (await store.under(day, name)).map(toSighting);
}

async function* allRows(
  day: number,
  wanted: Wanted,
  { store, yieldWhenDue }: SearchOptions,
): AsyncGenerator<Sighting[]> {
  for (let rows = await store.page(day, null, pageRows); rows.length > 0; ) {
    yield rows.filter(({ name }) => isUnder(name, wanted)).map(toSighting);
    await yieldWhenDue();
    rows = await store.page(day, rows.at(-1) ?? null, pageRows);
  }
}

async function* sealedNames(wanted: Wanted, options: SearchOptions): AsyncGenerator<Sighting[]> {
  const { store, sinceDay, yieldWhenDue } = options;
  const isPossible = await blockFilter(wanted, yieldWhenDue);
  for (let blocks = await store.blocks(0, pageBlocks); blocks.length > 0; ) {
    for (const block of blocks) {
      await yieldWhenDue();
      const body = block.day >= sinceDay && isPossible(block) ? await store.body(block.no) : null;
      // A missing block was pruned meanwhile.
      if (body === null) continue;
      const rows = decodeSeen(body);
      yield rows.filter(({ name }) => isUnder(name, wanted)).map(toSighting);
    }
    blocks = await store.blocks(blocks.at(-1)?.no ?? 0, pageBlocks);
  }
}

function toSighting({ name, account_id, environment, flagged }: SeenRow): Sighting {
  return { name, owner: { accountId: account_id, environment }, flagged };
}

/** Whether a name or a parent of it is wanted. */
function isUnder(name: string, wanted: Wanted): boolean {
  if (wanted === null || wanted.has(name)) return true;
  const topLevel = name.indexOf('.');
  // No list flags a whole top-level domain.
  for (let dot = name.lastIndexOf('.'); dot > topLevel; dot = name.lastIndexOf('.', dot - 1)) {
    if (wanted.has(name.slice(0, dot))) return true;
  }
  return false;
}

/** Which blocks can hold a wanted name or a subdomain of it: either starts inside the block, or is a parent of its first name. */
async function blockFilter(wanted: Wanted, yieldWhenDue: YieldWhenDue): Promise<(block: BlockSpan) => boolean> {
  if (wanted === null) return () => true;
  // Sorted piece by piece: one sort would block requests.
  const pieces: string[][] = [];
  let piece: string[] = [];
  for (const name of wanted) {
    // Subdomains do not follow their parent directly: `com.a-b` is between `com.a` and `com.a.b`.
    piece.push(name, `${name}.`);
    if (piece.length < sortedPerSlice) continue;
    pieces.push(piece.sort());
    piece = [];
    await yieldWhenDue();
  }
  pieces.push(piece.sort());
  return (block) => pieces.some((sorted) => startsIn(block, sorted)) || isUnder(block.firstName, wanted);
}

/** Whether one of the sorted texts is between the first and the last name of a block. */
function startsIn({ firstName, lastName }: BlockSpan, sorted: readonly string[]): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < firstName) low = middle + 1;
    else high = middle;
  }
  const next = sorted[low];
  return next !== undefined && next <= lastName;
}
