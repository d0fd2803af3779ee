import type { EntryBatch } from '../decisions/decisions-store.ts';
import { compressText } from './segment-codec.ts';
import type { SegmentParts } from './segments-store.ts';
import { encodeTerms } from './terms.ts';

/** A segment that is not in the database yet, and the terms it is found by. */
export interface NewSegment extends SegmentParts {
  readonly terms: Uint8Array;
}

/** Seals entries. */
export function makeSegment(batch: EntryBatch): NewSegment {
  const { firstId, lastId } = batch;
  return { firstId, lastId, body: compressText(batch.text()), terms: encodeTerms(batch.terms()) };
}
