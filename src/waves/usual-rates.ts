import type { YieldWhenDue } from '../platform/yielding.ts';
import type { Usual } from './detect.ts';
import { countOf, type Group, groupRows } from './groups.ts';
import type { ObservedRow } from './observed-row.ts';
import { thresholds } from './thresholds.ts';
import { type WaveKind, waveKinds } from './wave.ts';

export const hourMs = 3_600_000;

/** Values of an hour that are kept: those with the most addresses. */
const mostValues = 5_000;
const wordsEach = 3;
/** Numbers of the kinds in a summary; totals come after the kinds. */
const totals = { all: waveKinds.length, shaped: waveKinds.length + 1 } as const;

/** How many addresses each value had among these rows: kind, key and count. */
export async function summarise(rows: readonly ObservedRow[], yieldWhenDue: YieldWhenDue): Promise<Uint8Array> {
  const groups = (await groupRows(rows, yieldWhenDue)).sort((one, other) => countOf(other) - countOf(one));
  const distinct = (some: readonly ObservedRow[]): number => new Set(some.map(({ address }) => address)).size;
  const words = [
    [totals.all, 0, distinct(rows)],
    [totals.shaped, 0, distinct(rows.filter((row) => row.key('shape') !== 0))],
    ...groups.slice(0, mostValues).map((group) => [waveKinds.indexOf(group.kind), group.key, countOf(group)]),
  ];
  // Not compressed: most hours have few values, and every one of a week is read for a comparison.
  return new Uint8Array(Float64Array.from(words.flat()).buffer);
}

export interface HourSummary {
  readonly hour: number;
  readonly body: Uint8Array;
}

/** The hours whose average is the usual rate at a moment: those that ended before the current window. */
export function usualHours(nowMs: number): { readonly from: number; readonly before: number } {
  const before = Math.floor((nowMs - thresholds.windowMs) / hourMs);
  return { from: before - thresholds.usualMs / hourMs, before };
}

/** What is usual for these values, from the summaries of the hours before. */
export function usualOf(
  compared: readonly Group[],
  summaries: readonly HourSummary[],
  firstAtMs: number,
  nowMs: number,
): Usual {
  const { from, before } = usualHours(nowMs);
  const hours = Math.max(1, Math.min(before - from, (before * hourMs - firstAtMs) / hourMs));
  const sums = new Map<string, number>(compared.map(({ kind, key }) => [nameOf(waveKinds.indexOf(kind), key), 0]));
  sums.set(nameOf(totals.all, 0), 0);
  sums.set(nameOf(totals.shaped, 0), 0);
  let lastDay = 0;
  for (const { hour, body } of summaries) {
    // A copy: the words of a body from storage may not be aligned.
    const words = new Float64Array(Uint8Array.from(body).buffer);
    for (let at = 0; at < words.length; at += wordsEach) {
      if (words[at] === totals.all && hour >= before - 24) lastDay += words[at + 2] as number;
      const name = nameOf(words[at] as number, words[at + 1] as number);
      const sum = sums.get(name);
      if (sum !== undefined) sums.set(name, sum + (words[at + 2] as number));
    }
  }
  const average = (name: string): number => (sums.get(name) ?? 0) / hours;
  return {
    of: (kind: WaveKind, key: number) => average(nameOf(waveKinds.indexOf(kind), key)),
    total: average(nameOf(totals.all, 0)),
    shaped: average(nameOf(totals.shaped, 0)),
    lastDay,
    hours,
  };
}

const nameOf = (kind: number, key: number): string => `${kind}:${key}`;
