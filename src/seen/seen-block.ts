import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Environment, Owner } from '../http/endpoint.ts';
import { flagBase } from './flag-kinds.ts';
import type { SeenBlock, SeenRow } from './seen-store.ts';

const compress = promisify(zstdCompress);

/** A name that was seen, by whom, and what it was flagged as then. */
export interface SeenName {
  /** From its end: `com.example.mail`. */
  readonly name: string;
  readonly by: readonly { readonly owner: Owner; readonly flagged: number }[];
}

/** Rows of one day as a block, made off the main thread. */
export async function encodeBlock(rows: readonly SeenRow[]): Promise<SeenBlock> {
  const { text, ...span } = blockText(rows);
  return { ...span, body: await compress(text) };
}

/** The same at once, for inside a transaction. */
export function encodeBlockSync(rows: readonly SeenRow[]): SeenBlock {
  const { text, ...span } = blockText(rows);
  return { ...span, body: zstdCompressSync(text) };
}

/**
 * First the owners, as JSON; then a line for each name, in order: the name, a tab, and for each owner who saw it one number, its place
 * times `flagBase` plus the flags.
 */
function blockText(rows: readonly SeenRow[]): { text: string; firstName: string; lastName: string; entries: number } {
  const owners = new Map<string, number>();
  const byName = new Map<string, number[]>();
  for (const { name, account_id, environment, flagged } of rows) {
    const owner = JSON.stringify([account_id, environment]);
    const place = owners.get(owner) ?? owners.size;
    owners.set(owner, place);
    const seen = place * flagBase + flagged;
    const others = byName.get(name);
    if (others === undefined) byName.set(name, [seen]);
    else others.push(seen);
  }
  const names = [...byName.keys()].sort();
  const lines = names.map((name) => `${name}\t${byName.get(name)?.join(' ')}`);
  return {
    text: [`[${[...owners.keys()].join(',')}]`, ...lines].join('\n'),
    firstName: names[0] ?? '',
    lastName: names.at(-1) ?? '',
    entries: rows.length,
  };
}

/** The names of a block that are wanted; the others cost nothing but the question. */
export function readBlock(body: Uint8Array, isWanted: (name: string) => boolean): SeenName[] {
  const text = zstdDecompressSync(body).toString('latin1');
  const found: SeenName[] = [];
  let owners: Owner[] | null = null;
  for (let start = text.indexOf('\n') + 1; start > 0; ) {
    const tab = text.indexOf('\t', start);
    const lineEnd = text.indexOf('\n', tab);
    const name = text.slice(start, tab);
    start = lineEnd + 1;
    if (!isWanted(name)) continue;
    owners ??= readOwners(text);
    found.push({ name, by: readSightings(text.slice(tab + 1, lineEnd < 0 ? text.length : lineEnd), owners) });
  }
  return found;
}

function readOwners(text: string): Owner[] {
  const owners: [string, Environment][] = JSON.parse(text.slice(0, text.indexOf('\n')));
  return owners.map(([accountId, environment]) => ({ accountId, environment }));
}

function readSightings(text: string, owners: readonly Owner[]): SeenName['by'] {
  return text.split(' ').map((part) => {
    const seen = Number(part);
    const owner = owners[Math.floor(seen / flagBase)];
    if (owner === undefined) throw new Error('a block of seen domains names an owner it does not have');
    return { owner, flagged: seen % flagBase };
  });
}

/** A block without what one account saw; null when it saw nothing in it, 'empty' when nothing is left. */
export function withoutAccount(body: Uint8Array, accountId: string): SeenBlock | 'empty' | null {
  const rows = readBlock(body, () => true).flatMap(({ name, by }) =>
    by.map(({ owner, flagged }) => ({ name, account_id: owner.accountId, environment: owner.environment, flagged })),
  );
  const left = rows.filter((row) => row.account_id !== accountId);
  if (left.length === rows.length) return null;
  return left.length === 0 ? 'empty' : encodeBlockSync(left);
}
