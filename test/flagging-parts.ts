import { reversedName } from '../src/address/reversed-name.ts';
import { openDatabase } from '../src/db/db.ts';
import { createWorkLeases } from '../src/db/work-leases.ts';
import type { Environment, Owner } from '../src/http/endpoint.ts';
import { type FlagKind, flagBits } from '../src/seen/flag-kinds.ts';
import { createFlaggingStore } from '../src/seen/flagging/flagging-store.ts';
import { searchSeen } from '../src/seen/seen-search.ts';
import { createSeenStore } from '../src/seen/seen-store.ts';
import { sqliteDatabase } from './engines.ts';

const dayMs = 86_400_000;

/** The dependencies of flagging: a database of seen domains, a clock that tests set, and the sent notifications. */
export async function flaggingParts() {
  const db = await openDatabase(sqliteDatabase());
  let nowMs = Date.UTC(2026, 10, 15, 14);
  const now = () => nowMs;
  const today = () => Math.floor(nowMs / dayMs);
  const store = createFlaggingStore(db);
  const seen = createSeenStore(db);
  const notified: string[] = [];
  const leasesOf = (holder: string) => createWorkLeases(db, holder, now);
  return {
    store,
    seen,
    leasesOf,
    /** `account/environment kind domain`, in the order they were sent. */
    notified,
    advance(ms: number) {
      nowMs += ms;
    },
    /** Records that an environment saw a domain today, flagged as some kinds or as none. */
    async see(domain: string, owner: Owner, ...kinds: FlagKind[]) {
      const flagged = kinds.reduce((bits, kind) => bits | flagBits[kind], 0);
      const { accountId: account_id, environment } = owner;
      await seen.add([{ day: today(), name: reversedName(domain), account_id, environment, flagged }]);
    },
    options: {
      store,
      search: (wanted: ReadonlySet<string> | null) =>
        searchSeen(wanted, { store: seen, sinceDay: 0, yieldWhenDue: () => null }),
      comparing: { leases: leasesOf('this'), store },
      notifying: {
        store,
        today,
        async notify(_trx: unknown, owner: Owner, flagged: readonly { kind: FlagKind; domain: string }[]) {
          for (const { kind, domain } of flagged)
            notified.push(`${owner.accountId}/${owner.environment} ${kind} ${domain}`);
        },
      },
      createYielder: () => () => null,
      now,
      monotonicMs: now,
    },
    close: () => db.close(),
  };
}

export type FlaggingParts = Awaited<ReturnType<typeof flaggingParts>>;

/** An environment of an account. */
export const owner = (accountId: string, environment: Environment = 'production'): Owner => ({
  accountId,
  environment,
});
