import { createSlidingWindow } from '../platform/sliding-window.ts';
import { createWriteBehind, type WriteBehind } from '../platform/write-behind.ts';
import { type CallCounts, type CallResult, noCalls } from './hook.ts';

/** A hook's calls since the last write. */
export interface HookActivity {
  readonly hookId: string;
  /** Counts by the start of their ten minutes. */
  readonly slots: Map<number, Record<CallResult, number>>;
  /** The time of the last verified call; undefined when there was none. */
  lastCallAtMs: number | undefined;
  /** Null when a call was decided; undefined when nothing changed. */
  lastError: string | null | undefined;
}

/** A call whose result is known. */
export interface RecordedCall {
  readonly result: CallResult;
  /** The problem; null when the gate decided, undefined for calls that do not show whether there is one. */
  readonly error?: string | null;
  /** Whether the secret was right; a rejected call says so where it was. */
  readonly isVerified?: boolean;
}

/** Counts the calls of hooks, behind the requests. */
export interface CallRecorder {
  readonly buffer: WriteBehind;
  record(hookId: string, call: RecordedCall): void;
  /** Writes everything recorded before the call as far as storage allows; for readers. */
  tryFlush(): Promise<void>;
}

export interface CallRecorderParts {
  readonly write: (activities: readonly HookActivity[]) => Promise<void>;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

export const slotMs = 600_000;
/** Any client may send calls that are rejected: further ones of a second are not recorded. */
const maxRejectedPerSecond = 20;
const maxErrorLength = 300;

export function createCallRecorder({ write, now, monotonicMs }: CallRecorderParts): CallRecorder {
  const pending = new Map<string, HookActivity>();
  const takeRejected = createSlidingWindow({ limit: maxRejectedPerSecond, windowMs: 1_000 }, monotonicMs);
  const activityOf = (hookId: string): HookActivity => {
    const known = pending.get(hookId) ?? { hookId, slots: new Map(), lastCallAtMs: undefined, lastError: undefined };
    pending.set(hookId, known);
    return known;
  };
  const buffer = createWriteBehind<readonly HookActivity[]>({
    name: 'hook_calls',
    pending: {
      size: () => pending.size,
      take(limit) {
        if (pending.size === 0) return null;
        const taken = [...pending.values()].slice(0, limit);
        for (const { hookId } of taken) pending.delete(hookId);
        return taken;
      },
      putBack(batch) {
        for (const older of batch) {
          const { slots, ...newer } = activityOf(older.hookId);
          for (const [slot, counts] of slots) addTo(older, slot, counts);
          older.lastCallAtMs = newer.lastCallAtMs ?? older.lastCallAtMs;
          if (newer.lastError !== undefined) older.lastError = newer.lastError;
          pending.set(older.hookId, older);
        }
      },
    },
    batchSize: 500,
    flushEveryMs: 500,
    failure: 'calls of hooks are not counted yet; they are kept in memory',
    write,
  });
  return {
    buffer,
    record(hookId, { result, error, isVerified = result !== 'rejected' }) {
      if (result === 'rejected' && takeRejected(hookId) > 0) return;
      const activity = activityOf(hookId);
      const nowMs = now();
      addTo(activity, nowMs - (nowMs % slotMs), { ...noCalls, [result]: 1 });
      if (isVerified) activity.lastCallAtMs = nowMs;
      if (error !== undefined) activity.lastError = error?.slice(0, maxErrorLength) ?? null;
    },
    // The scheduled flush meets the same failure and reports it.
    tryFlush: () => buffer.flush().catch(() => {}),
  };
}

function addTo({ slots }: HookActivity, slot: number, more: CallCounts): void {
  const counts = slots.get(slot) ?? { ...noCalls };
  for (const name of Object.keys(counts) as CallResult[]) counts[name] += more[name];
  slots.set(slot, counts);
}
