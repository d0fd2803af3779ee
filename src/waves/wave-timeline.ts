import { actions } from '../traffic/observation.ts';
import type { WaveMember } from './wave-members.ts';

/** The decisions of a wave in one span of time. */
export interface TimelineBar {
  readonly atMs: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
  /** Distinct members within the wave's window that ends with the bar: the number that the threshold is compared with. */
  readonly inWindow: number;
}

export interface Timeline {
  readonly intervalMs: number;
  readonly bars: readonly TimelineBar[];
}

const minuteMs = 60_000;
/** The possible widths of a bar; the bars of an hour's wave are a minute wide. */
const intervalsMs = [1, 2, 5, 10, 30, 60, 180, 360, 1_440].map((minutes) => minutes * minuteMs);
const maxBars = 120;

/** How a wave went: bars from its first decision to its last one. */
export function timelineOf(members: readonly WaveMember[], windowMs: number): Timeline {
  const inOrder = members.toSorted((one, other) => one.atMs - other.atMs);
  const [first, last] = [inOrder[0]?.atMs ?? 0, inOrder.at(-1)?.atMs ?? 0];
  const fits = (interval: number): boolean => (last - first) / interval < maxBars - 1;
  const intervalMs = intervalsMs.find(fits) ?? Math.ceil((last - first) / maxBars);
  if (inOrder.length === 0) return { intervalMs, bars: [] };
  const startMs = Math.floor(first / intervalMs) * intervalMs;
  const count = Math.floor((last - startMs) / intervalMs) + 1;
  const byBar = Map.groupBy(inOrder, ({ atMs }) => Math.floor((atMs - startMs) / intervalMs));
  const lastSeen = new Map<number, number>();
  const bars = Array.from({ length: count }, (_, index) => {
    const some = byBar.get(index) ?? [];
    const atMs = startMs + index * intervalMs;
    for (const { member, atMs: seenMs } of some) lastSeen.set(member, seenMs);
    const sinceMs = atMs + intervalMs - windowMs;
    const inWindow = lastSeen.values().reduce((sum, seenMs) => sum + (seenMs >= sinceMs ? 1 : 0), 0);
    const made = (action: string): number => some.filter((one) => actions[one.action] === action).length;
    return { atMs, allow: made('allow'), block: made('block'), challenge: made('challenge'), inWindow };
  });
  return { intervalMs, bars };
}
