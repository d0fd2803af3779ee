import type { Environment } from '../http/endpoint.ts';
import type { YieldWhenDue } from '../platform/yielding.ts';
import { readBlock, type SeenName } from './seen-block.ts';
import type { BlockSpan, SeenRow, SeenStore } from './seen-store.ts';

/** Names as they are looked for: from their end and of two labels at least, `com.example`. Null: whatever was seen. */
export type Wanted = ReadonlySet<string> | null;

/** What a search needs. */
export interface SearchOptions {
  readonly store: Pick<SeenStore, 'openDays' | 'page' | 'under' | 'blocks' | 'body'>;
  /** What was seen before this day does not count. */
  readonly sinceDay: number;
  readonly yieldWhenDue: YieldWhenDue;
}

/** Up to so many names are asked for one by one among the rows of a day; for more of them all rows are read. */
const askedOneByOne = 200;
const pageRows = 1_000;
const pageBlocks = 500;
/** Texts that are sorted in one go, a few milliseconds. */
const sortedAtOnce = 4_000;

/**
 * What was seen of the wanted names and of those below them, some at a time; a name comes once for each day and place it stands in.
 * Rows come before blocks: what is sealed meanwhile is found twice rather than not at all.
 */
export async function* searchSeen(wanted: Wanted, options: SearchOptions): AsyncGenerator<readonly SeenName[]> {
  if (wanted?.size === 0) return;
  const days = (await options.store.openDays()).filter((day) => day >= options.sinceDay);
  for (const day of days) {
    if (wanted !== null && wanted.size <= askedOneByOne) yield* namedRows(day, wanted, options);
    else yield* allRows(day, wanted, options);
  }
  yield* sealedNames(wanted, options);
}

async function* namedRows(
  day: number,
  wanted: ReadonlySet<string>,
  { store }: SearchOptions,
): AsyncGenerator<SeenName[]> {
  for (const name of wanted) yield (await store.under(day, name)).map(toSeenName);
}

async function* allRows(
  day: number,
  wanted: Wanted,
  { store, yieldWhenDue }: SearchOptions,
): AsyncGenerator<SeenName[]> {
  for (let rows = await store.page(day, null, pageRows); rows.length > 0; ) {
    yield rows.filter(({ name }) => isUnder(name, wanted)).map(toSeenName);
    await yieldWhenDue();
    rows = await store.page(day, rows.at(-1) ?? null, pageRows);
  }
}

async function* sealedNames(wanted: Wanted, options: SearchOptions): AsyncGenerator<SeenName[]> {
  const { store, sinceDay, yieldWhenDue } = options;
  const isPossible = await blockFilter(wanted, yieldWhenDue);
  for (let blocks = await store.blocks(0, pageBlocks); blocks.length > 0; ) {
    for (const block of blocks) {
      await yieldWhenDue();
      const body = block.day >= sinceDay && isPossible(block) ? await store.body(block.no) : null;
      // One that is gone was pruned meanwhile.
      if (body !== null) yield readBlock(body, (name) => isUnder(name, wanted));
    }
    blocks = await store.blocks(blocks.at(-1)?.no ?? 0, pageBlocks);
  }
}

function toSeenName({ name, account_id, environment, flagged }: SeenRow): SeenName {
  return { name, by: [{ owner: { accountId: account_id, environment: environment as Environment }, flagged }] };
}

/** Whether a name or one above it is wanted. */
function isUnder(name: string, wanted: Wanted): boolean {
  if (wanted === null || wanted.has(name)) return true;
  const topLevel = name.indexOf('.');
  // Nobody flags a whole top-level domain, and every name would ask for its own.
  for (let dot = name.lastIndexOf('.'); dot > topLevel; dot = name.lastIndexOf('.', dot - 1)) {
    if (wanted.has(name.slice(0, dot))) return true;
  }
  return false;
}

/** Tells which blocks can hold a wanted name or one below it: either begins inside the block, or is above its first name. */
async function blockFilter(wanted: Wanted, yieldWhenDue: YieldWhenDue): Promise<(block: BlockSpan) => boolean> {
  if (wanted === null) return () => true;
  // Sorted piece by piece: all at once would keep others waiting.
  const pieces: string[][] = [];
  let piece: string[] = [];
  for (const name of wanted) {
    // Names below another do not follow it at once: `com.a-b` stands between `com.a` and `com.a.b`.
    piece.push(name, `${name}.`);
    if (piece.length < sortedAtOnce) continue;
    pieces.push(piece.sort());
    piece = [];
    await yieldWhenDue();
  }
  pieces.push(piece.sort());
  return (block) => pieces.some((sorted) => beginsIn(block, sorted)) || isUnder(block.firstName, wanted);
}

/** Whether one of the texts, which are in order, stands between the first and the last name of a block. */
function beginsIn({ firstName, lastName }: BlockSpan, sorted: readonly string[]): boolean {
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
