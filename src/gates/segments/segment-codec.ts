import { compressLines, fieldsOf, readBlock } from '../../platform/block-codec.ts';
import type { LoggedRow } from '../decisions/decisions-store.ts';
import type { SegmentParts } from './segments-store.ts';

/** Entries of the log as a segment. */
export function encodeSegment(rows: readonly LoggedRow[]): SegmentParts {
  const ids = rows.map(({ id }) => id).sort();
  return { first_id: ids[0] ?? '', last_id: ids.at(-1) ?? '', body: compressLines(rows.map(entryLine)) };
}

/** An entry's line in a segment. Only JSON can hold tabs or line ends, and there they are escaped. */
export function entryLine({ id, gateId, action, ruleId, emailKey, domain, ip, entry }: LoggedRow): string {
  // As `blockLine` does, without a list of fields.
  return `${id}\t${gateId}\t${action}\t${ruleId ?? ''}\t${JSON.stringify(emailKey)}\t${domain}\t${ip ?? ''}\t${entry}\n`;
}

/** The entries of a segment, in the order in which they were sealed. */
export function decodeSegment(body: Uint8Array): LoggedRow[] {
  return readBlock(body).map(toEntry);
}

/** The entries of a text of lines. */
export function entriesIn(text: string): LoggedRow[] {
  return fieldsOf(text).map(toEntry);
}

function toEntry([
  id = '',
  gateId = '',
  action = '',
  ruleId,
  emailKey = 'null',
  domain = '',
  ip,
  entry = '',
]: string[]): LoggedRow {
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
}
