import type { Owner } from '../../http/endpoint.ts';
import { createYielder } from '../../platform/yielding.ts';
import { type BlockReader, createBlockReader } from '../../traffic/block-reader.ts';
import { madeAtMs, ObservationBlock, wordsEach } from '../../traffic/observation-block.ts';
import type { TrafficStore } from '../../traffic/traffic-store.ts';
import { createObservationWindow, type ObservationWindow } from './observation-window.ts';
import { thresholds } from './thresholds.ts';

/** Reads the observations of all processes into a window that the detection examines. */
export interface ObservationFeed {
  /** Reads new observations. True if the window was read from the beginning. */
  read(): Promise<boolean>;
  window(): ObservationWindow;
}

export interface ObservationFeedParts {
  readonly traffic: Pick<TrafficStore, 'after' | 'read' | 'lastBefore'>;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

/** Longer than the longest window, so that an hour is still whole when it has ended. */
const keptMs = thresholds.slowMs + 75 * 60_000;
/** After a longer pause, another process may have detected meanwhile. */
const maxPauseMs = 60_000;

export function createObservationFeed({ traffic, now, monotonicMs }: ObservationFeedParts): ObservationFeed {
  let window = createObservationWindow();
  let reader: BlockReader | null = null;
  let lastReadMs = 0;
  return {
    async read() {
      const atMs = monotonicMs();
      const isNew = reader === null || atMs - lastReadMs > maxPauseMs;
      if (isNew) {
        window = createObservationWindow();
        reader = createBlockReader(traffic, '', monotonicMs, await traffic.lastBefore(now() - keptMs));
      }
      lastReadMs = atMs;
      const oldestMs = now() - keptMs;
      const yieldWhenDue = createYielder();
      await reader?.poll(async ({ kind, body }) => {
        const block = ObservationBlock.decode(body);
        for (let place = 0; place < block.end; place += wordsEach) {
          // Reading the clock takes as long as adding a row.
          const turn = place % (64 * wordsEach) === 0 ? yieldWhenDue() : null;
          if (turn !== null) await turn;
          if (kind !== 'counts') window.erase(block, place, kind);
          else if (madeAtMs(block, place) >= oldestMs) window.add(block, place);
        }
      });
      window.dropBefore(oldestMs);
      return isNew;
    },
    window: () => window,
  };
}

/** An environment by its name. */
export const nameOf = ({ accountId, environment }: Owner): string => `${accountId}/${environment}`;
