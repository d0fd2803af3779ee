import type { FlaggedDomain, FlaggingStore, Tell } from './flagging-store.ts';

/** Gathers what environments are to be told, and tells them in slices. */
export interface Announcer {
  add(flagged: FlaggedDomain): void;
  /** Tells when there is enough of it; called often. */
  tellSome(): Promise<void>;
  /** Tells the rest; how many domains environments were told of in all. */
  end(): Promise<number>;
}

/** What an announcer needs. */
export interface AnnouncerOptions {
  readonly store: Pick<FlaggingStore, 'announce'>;
  readonly tell: Tell;
  /** Days since 1970, UTC. */
  readonly today: () => number;
}

/** Domains in one transaction, some milliseconds of the embedded database. */
const toldAtOnce = 200;
/** What was gathered lately is known, so that thousands of names below one do not ask the storage each. */
const mostRemembered = 50_000;

export function createAnnouncer({ store, tell, today }: AnnouncerOptions): Announcer {
  const gathered = new Set<string>();
  let waiting: FlaggedDomain[] = [];
  let told = 0;
  const tellAll = async (): Promise<void> => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += toldAtOnce) {
      told += await store.announce(all.slice(start, start + toldAtOnce), today(), tell);
    }
  };
  return {
    add(flagged) {
      const { owner, domain, kind } = flagged;
      const key = `${owner.accountId} ${owner.environment} ${domain} ${kind}`;
      if (gathered.has(key)) return;
      if (gathered.size >= mostRemembered) gathered.clear();
      gathered.add(key);
      waiting.push(flagged);
    },
    async tellSome() {
      if (waiting.length >= toldAtOnce) await tellAll();
    },
    async end() {
      await tellAll();
      return told;
    },
  };
}
