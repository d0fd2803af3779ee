import type { Owner } from '../../http/endpoint.ts';
import { boundedMap } from '../../platform/bounded-map.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import type { DetectionStore } from '../detection-store.ts';
import { type History, historyHours, hourMs, readHistory } from './history.ts';
import { HourSummary, summariseHour } from './hour-summary.ts';
import { nameOf } from './observation-feed.ts';
import type { ObservedRow } from './observed-row.ts';

/** The histories of environments, which change once an hour. */
export interface Histories {
  of(owner: Owner, firstAtMs: number, nowMs: number, yieldWhenDue: YieldWhenDue): Promise<History>;
  /** Stores the rows of an hour that has ended. */
  add(owner: Owner, hour: number, rows: readonly ObservedRow[], yieldWhenDue: YieldWhenDue): Promise<void>;
  removeOld(nowMs: number): Promise<void>;
}

/** How many environments have their summaries in memory, and with how many values each; others are read every hour. */
const maxEnvironments = 20;
const maxValues = 1_000_000;

interface Known {
  readonly hour: number;
  readonly summaries: readonly HourSummary[];
  readonly history: History;
}

export function createHistories(store: Pick<DetectionStore, 'hours' | 'addHour' | 'removeHoursBefore'>): Histories {
  const known = boundedMap<string, Known>(maxEnvironments);
  return {
    async of(owner, firstAtMs, nowMs, yieldWhenDue) {
      const hour = Math.floor(nowMs / hourMs);
      const name = nameOf(owner);
      const before = known.get(name);
      if (before?.hour === hour) return before.history;
      const from = hour - historyHours;
      // The last hour may have been written since.
      const kept = (before?.summaries ?? []).filter((summary) => summary.hour >= from && summary.hour < hour - 2);
      const rows = await store.hours(owner, (kept.at(-1)?.hour ?? from - 1) + 1, hour);
      const summaries = [...kept, ...rows.map((row) => HourSummary.decode(row.hour, row.body))];
      const history = await readHistory(summaries, Math.floor(firstAtMs / hourMs), hour, yieldWhenDue);
      const values = summaries.reduce((sum, { size }) => sum + size, 0);
      known.set(name, { hour, summaries: values <= maxValues ? summaries : [], history });
      return history;
    },
    async add(owner, hour, rows, yieldWhenDue) {
      const summary = await summariseHour(hour, rows, yieldWhenDue);
      await store.addHour(owner, hour, summary.encode());
    },
    removeOld: (nowMs) => store.removeHoursBefore(Math.floor(nowMs / hourMs) - historyHours),
  };
}
