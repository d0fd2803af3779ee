import type { Domain } from '../../address/domain.ts';
import { createWorkLeases } from '../../db/work-leases.ts';
import type { Feature, Shared } from '../../feature.ts';
import type { Knowledge } from '../../knowledge/feature.ts';
import type { LookupResult } from '../../lookups/lookup.ts';
import { createClampedClock } from '../../platform/clamped-clock.ts';
import { idle, type Job } from '../../platform/jobs.ts';
import { createYielder } from '../../platform/yielding.ts';
import { disposable } from '../../signals/domain/disposable.ts';
import { spam } from '../../signals/domain/spam.ts';
import { ulid } from '../../ulid.ts';
import type { Announce } from '../../webhooks/announce-store.ts';
import type { OnFlagged } from '../feature.ts';
import type { FlagKind } from '../flag-kinds.ts';
import { searchSeen } from '../seen-search.ts';
import { createSeenStore } from '../seen-store.ts';
import { dayMs } from '../sightings.ts';
import type { FlaggedNotifierOptions } from './flagged-notifier.ts';
import { createFlaggingStore, type Notify } from './flagging-store.ts';
import { createListsComparison, type SearchSeen } from './lists-comparison.ts';
import { createMailServersComparison } from './mail-servers-comparison.ts';
import { createSuspects } from './suspects.ts';
import { createSuspectVerifier } from './verify-suspects.ts';

const pruneBatch = 500;

/** Notifies environments about domains that are flagged after they saw them. */
export interface FlaggingFeature extends Feature {
  /** Called for domains that a lookup flagged. */
  readonly onFlagged: OnFlagged;
}

/** Starts comparing flagged domains with seen ones. */
export function createFlaggingFeature(shared: Shared, knowledge: Knowledge, announce: Announce): FlaggingFeature {
  const { config, db, log, now, monotonicMs } = shared;
  const { lists, mailHosts } = knowledge;
  const store = createFlaggingStore(db);
  const seen = createSeenStore(db);
  const suspects = createSuspects(store, now);
  const today = (): number => Math.floor(now() / dayMs);
  const search: SearchSeen = (wanted, yieldWhenDue) =>
    searchSeen(wanted, { store: seen, sinceDay: today() - config.seenDomainsDays, yieldWhenDue });
  const parts = {
    search,
    store,
    comparing: { leases: createWorkLeases(db, ulid(now()), monotonicMs), store },
    notifying: { store, notify: notifyWebhooks(announce, now), today } satisfies FlaggedNotifierOptions,
    createYielder: () => createYielder(monotonicMs),
    now,
    monotonicMs,
  };
  const compareLists = createListsComparison({ ...parts, lists });
  const compareServers = mailHosts === null ? null : createMailServersComparison({ ...parts, servers: mailHosts });
  const verifySuspects = createSuspectVerifier({ ...parts, isFlaggedNow: flaggedNow(shared, knowledge) });
  const clampedNow = createClampedClock(now, monotonicMs);
  const jobs: readonly Job[] = [
    {
      name: 'compare-seen-domains',
      everyMs: 1_000,
      idleMs: 10_000,
      failure: 'flagged domains are not compared with seen ones yet',
      async run() {
        const byLists = await compareLists();
        await compareServers?.();
        const byNetwork = await verifySuspects();
        if (byLists + byNetwork === 0) return idle;
        return log.info({ byLists, byNetwork }, 'domains flagged that environments had seen');
      },
    },
    {
      name: 'prune-flagged-domains',
      everyMs: 3_600_000,
      lease: { forMs: 7_200_000 },
      failure: 'old flagged domains could not be removed; the next attempt is in an hour',
      async run() {
        const firstDay = Math.floor(clampedNow() / dayMs) - config.seenDomainsDays - 1;
        while (await store.removeBefore(firstDay, pruneBatch));
      },
    },
  ];
  return {
    onFlagged: ({ subject: { domain }, readings }: LookupResult) => {
      // The comparison after a change of the lists finds the domains that lists flag.
      if (isTrue(readings.disposable) && !lists.isListed('disposable', domain.ascii))
        suspects.add(domain.ascii, 'disposable');
      if (isTrue(readings.spam) && !lists.isListed('spam', domain.ascii)) suspects.add(domain.ascii, 'spam');
    },
    buffers: [suspects.buffer],
    jobs: config.seenDomainsDays === 0 ? [] : jobs,
  };
}

const isTrue = (reading: { readonly known: boolean; readonly value?: boolean }): boolean =>
  reading.known && reading.value === true;

function notifyWebhooks(announce: Announce, now: () => number): Notify {
  return (trx, owner, flagged) =>
    announce(
      trx,
      owner,
      flagged.map(({ domain, kind }) => ({ type: `domain.flagged.${kind}` as const, data: { domain }, atMs: now() })),
    );
}

/** Reads the signal as a lookup does; a domain whose mail servers are not known is not known to be harmless. */
function flaggedNow({ now }: Shared, { lists, factsAnew, network }: Knowledge) {
  return async (domain: Domain, kind: FlagKind): Promise<boolean | null> => {
    const facts = await factsAnew(domain);
    const sources = { lists, facts, nowMs: now() };
    const reading = (kind === 'spam' ? spam : disposable).read({ domain, address: null }, sources);
    if (!reading.known) return null;
    // A notification cannot be retracted.
    if (reading.value && !(await network.dns.prove())) return null;
    return kind === 'disposable' && !reading.value && !facts.mx.known ? null : reading.value;
  };
}
