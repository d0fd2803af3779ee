import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { LoggedRow } from '../decisions/decisions-store.ts';

const compress = promisify(zstdCompress);

/** Entries of the log as one compressed text, made off the main thread. */
export function encodeSegment(rows: readonly LoggedRow[]): Promise<Uint8Array> {
  return compress(segmentText(rows));
}

/** The same at once, for inside a transaction. */
export function encodeSegmentSync(rows: readonly LoggedRow[]): Uint8Array {
  return zstdCompressSync(segmentText(rows));
}

/** Column by column, because like stands beside like then; what is JSON already comes after, a line each. */
function segmentText(rows: readonly LoggedRow[]): string {
  const columns = [
    rows.map(({ id }) => id),
    rows.map(({ gateId }) => gateId),
    rows.map(({ action }) => action),
    rows.map(({ ruleId }) => ruleId),
    rows.map(({ emailKey }) => emailKey),
    rows.map(({ domain }) => domain),
    rows.map(({ ip }) => ip),
  ];
  return [JSON.stringify(columns), ...rows.map(({ entry }) => entry)].join('\n');
}

type Columns = readonly [
  string[],
  string[],
  string[],
  (string | null)[],
  (string | null)[],
  string[],
  (string | null)[],
];

/** The entries of a segment, in the order in which they were sealed. */
export function decodeSegment(body: Uint8Array): LoggedRow[] {
  const [first = '[]', ...entries] = zstdDecompressSync(body).toString().split('\n');
  const [ids, gateIds, actions, ruleIds, emailKeys, domains, ips] = JSON.parse(first) as Columns;
  return ids.map((id, place) => ({
    id,
    gateId: gateIds[place] ?? '',
    action: actions[place] ?? '',
    ruleId: ruleIds[place] ?? null,
    emailKey: emailKeys[place] ?? null,
    domain: domains[place] ?? '',
    ip: ips[place] ?? null,
    entry: entries[place] ?? '',
  }));
}
