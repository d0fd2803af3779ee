import { compressLines } from '../../platform/block-codec.ts';
import type { EntryBatch } from '../decisions/decisions-store.ts';
import type { SegmentParts } from './segments-store.ts';
import { encodeTerms } from './terms.ts';

/** A segment to write, and the terms that find it. */
export interface NewSegment extends SegmentParts {
  readonly terms: Uint8Array;
}

/** Seals a batch of entries. */
export function makeSegment(batch: EntryBatch): NewSegment {
  const { firstId, lastId } = batch;
  return { first_id: firstId, last_id: lastId, body: compressLines(batch.text()), terms: encodeTerms(batch.terms()) };
}
