import { createYielder } from '../../platform/yielding.ts';
import { encodePostings, partOf, partsOfBucket, posting, termAt, termCount } from './terms.ts';

/** The terms of one segment, and its distance from the first of the bucket. */
export interface SingleTerms {
  readonly offset: number;
  readonly terms: Uint8Array;
}

/** The terms of segments as the parts of one bucket. One typed array holds them all: lists of numbers would cost garbage collection. */
export async function mergeTerms(singles: readonly SingleTerms[]): Promise<Uint8Array[]> {
  const yieldWhenDue = createYielder();
  const begins = new Uint32Array(partsOfBucket + 1);
  for (const { terms } of singles) {
    for (let index = 0; index < termCount(terms); index += 1) {
      const after = partOf(termAt(terms, index)) + 1;
      begins[after] = (begins[after] ?? 0) + 1;
    }
    await yieldWhenDue();
  }
  for (let part = 0; part < partsOfBucket; part += 1) begins[part + 1] = (begins[part + 1] ?? 0) + (begins[part] ?? 0);
  const postings = new Float64Array(begins[partsOfBucket] ?? 0);
  const ends = begins.slice(0, partsOfBucket);
  for (const { offset, terms } of singles) {
    for (let index = 0; index < termCount(terms); index += 1) {
      const hash = termAt(terms, index);
      const part = partOf(hash);
      const place = ends[part] ?? 0;
      postings[place] = posting(hash, offset);
      ends[part] = place + 1;
    }
    await yieldWhenDue();
  }
  const parts: Uint8Array[] = [];
  for (let part = 0; part < partsOfBucket; part += 1) {
    parts.push(encodePostings(postings.subarray(begins[part], ends[part]).sort()));
    await yieldWhenDue();
  }
  return parts;
}
