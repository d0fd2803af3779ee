import { writeFileAtomic } from '../../files/atomic-file.ts';
import { unpackDownload } from '../../files/unpack-download.ts';
import { listName } from '../sources/list-name.ts';
import { buildRanks, encodeRanks, type RanksHeader } from './ranks-file.ts';

/** A ranking to compile into the file that `openRanks` reads. */
export interface RanksOrder {
  /** `rank,domain` lines, comma or tab; plain, gzipped or zipped. */
  readonly bytes: Uint8Array;
  /** Where it comes from, kept in the file. */
  readonly source: string;
  /** The day of the edition, ISO 8601, if it is known. */
  readonly date?: string | null;
  readonly now: () => number;
}

/** The result of the compilation. */
export interface RanksBuilt extends RanksHeader {
  /** Skipped lines: no rank, no domain name, or out of order. */
  readonly wrongLines: number;
}

/** Fewer rows do not make a ranking of the web. */
const minRows = 1_000;
/** Above this share of wrong lines the file is something else. */
const maxWrongShare = 0.01;

/** Compiles a ranking (Tranco's format) and replaces the file atomically. Throws when the ranking is unusable. */
export function compileRanks(order: RanksOrder & { readonly file: string }): RanksBuilt {
  const { content, built } = packRanking(order);
  writeFileAtomic(order.file, content);
  return built;
}

/** The bytes of the file that `openRanks` reads. Throws when the ranking is unusable. */
export function packRanking({ bytes, source, date = null, now }: RanksOrder): {
  content: Uint8Array;
  built: RanksBuilt;
} {
  const { rows, wrongLines } = readRanking(unpackDownload(bytes));
  if (rows.length < minRows) throw new Error(`the ranking has ${rows.length} rows, fewer than ${minRows}`);
  if (wrongLines > (rows.length + wrongLines) * maxWrongShare) {
    throw new Error(`${wrongLines} of ${rows.length + wrongLines} lines are not "rank,domain" in ascending order`);
  }
  const builtAt = new Date(now()).toISOString();
  const table = buildRanks(rows, date === null ? { builtAt, source } : { builtAt, source, date });
  return { content: encodeRanks(table), built: { ...table.header, wrongLines } };
}

/** The rows of a ranking. The first line may be a heading. */
export function readRanking(text: Buffer): { rows: [name: string, rank: number][]; wrongLines: number } {
  const rows: [string, number][] = [];
  let wrongLines = 0;
  let lastRank = 0;
  let isFirst = true;
  for (const line of linesOf(text)) {
    const match = /^"?(\d{1,9})"?[,\t]"?([^",\t\s]+)"?\s*$/.exec(line);
    const rank = Number(match?.[1]);
    const name = match?.[2] === undefined ? null : listName(match[2]);
    if (name !== null && rank > lastRank) {
      rows.push([name, rank]);
      lastRank = rank;
    } else if (line.trim() !== '' && !isFirst) wrongLines += 1;
    isFirst = false;
  }
  return { rows, wrongLines };
}

/** One line at a time: a large ranking does not fit into one string. */
function* linesOf(text: Buffer): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(10, at);
    const next = end < 0 ? text.length : end;
    yield text.toString('utf8', at, next);
    at = next + 1;
  }
}
