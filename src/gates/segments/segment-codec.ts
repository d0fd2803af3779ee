import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { LoggedRow } from '../decisions/decisions-store.ts';

/**
 * The usual level takes a quarter longer and packs our entries no tighter. Off the main thread it would cost more there than
 * it does here: under a millisecond for a thousand entries.
 */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 64 * 1024 };
const decompression = { chunkSize: 512 * 1024 };

/** The text of a segment, compressed. */
export function compressText(text: Uint8Array): Uint8Array {
  return zstdCompressSync(text, compression);
}

/** Entries of the log as one compressed text. */
export function encodeSegment(rows: readonly LoggedRow[]): Uint8Array {
  return compressText(Buffer.from(rows.map(entryLine).join('')));
}

/** An entry in the text of a segment. Nothing has tabs or ends of lines in it but what is JSON, and there they are escaped. */
export function entryLine({ id, gateId, action, ruleId, emailKey, domain, ip, entry }: LoggedRow): string {
  return `${id}\t${gateId}\t${action}\t${ruleId ?? ''}\t${JSON.stringify(emailKey)}\t${domain}\t${ip ?? ''}\t${entry}\n`;
}

/** The entries of a segment, in the order in which they were sealed. */
export function decodeSegment(body: Uint8Array): LoggedRow[] {
  const text = zstdDecompressSync(body, decompression).toString();
  return text.startsWith('[') ? entriesByColumn(text) : entriesIn(text);
}

/** The entries of the text of a segment. */
export function entriesIn(text: string): LoggedRow[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [id = '', gateId = '', action = '', ruleId, emailKey = 'null', domain = '', ip, entry = ''] =
        line.split('\t');
      return {
        id,
        gateId,
        action,
        ruleId: ruleId || null,
        emailKey: JSON.parse(emailKey) as string | null,
        domain,
        ip: ip || null,
        entry,
      };
    });
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

/** Segments of before entries had a line each: columns as JSON, and then what is JSON already, a line each. */
function entriesByColumn(text: string): LoggedRow[] {
  const [first = '[]', ...entries] = text.split('\n');
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
