import type { FlagKind } from '../flag-kinds.ts';
import { dayMs } from '../sightings.ts';
import type { FlaggingStore, Suspect } from './flagging-store.ts';

/** Domains that were found to be flagged by something else than lists, until they are written. */
export interface Suspects {
  /** Each domain is taken in once a day. */
  add(domain: string, kind: FlagKind): void;
  flush(): Promise<void>;
}

/** Beyond it none are taken in that day: a domain that is asked for again is found again. */
const mostNoted = 20_000;
const writtenAtOnce = 200;

export function createSuspects(store: Pick<FlaggingStore, 'addSuspects'>, now: () => number): Suspects {
  let today = 0;
  let noted = new Set<string>();
  let waiting: Suspect[] = [];
  return {
    add(domain, kind) {
      const notedAtMs = now();
      const day = Math.floor(notedAtMs / dayMs);
      if (day !== today) noted = new Set();
      today = day;
      const key = `${kind} ${domain}`;
      if (noted.has(key) || noted.size >= mostNoted) return;
      noted.add(key);
      waiting.push({ domain, kind, notedAtMs });
    },
    async flush() {
      while (waiting.length > 0) {
        const some = waiting.slice(0, writtenAtOnce);
        await store.addSuspects(some);
        waiting = waiting.slice(some.length);
      }
    },
  };
}
