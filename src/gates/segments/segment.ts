import type { LoggedRow } from '../decisions/decisions-store.ts';
import { encodeSegment } from './segment-codec.ts';
import type { SegmentParts } from './segments-store.ts';
import { encodePostings, posting, termsOf } from './terms.ts';

/** A segment that is not in the database yet, and the terms it is found by. */
export interface NewSegment extends SegmentParts {
  readonly terms: Uint8Array;
}

/** Seals entries; most of the work is done off the main thread. */
export async function makeSegment(rows: readonly LoggedRow[]): Promise<NewSegment> {
  const ids = rows.map(({ id }) => id).sort();
  const body = await encodeSegment(rows);
  const terms = encodePostings([...termsOf(rows)].map((hash) => posting(hash, 0)));
  return { firstId: ids[0] ?? '', lastId: ids.at(-1) ?? '', body, terms };
}
