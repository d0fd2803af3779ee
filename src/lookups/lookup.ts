import type { Domain } from '../address/domain.ts';
import type { Caller, Owner } from '../http/endpoint.ts';
import type { Readings } from '../signals/engine.ts';
import type { CallerFacts, Sources } from '../signals/signal.ts';
import type { DomainFacts, ListSource } from '../signals/sources.ts';
import type { Subject } from '../signals/subject.ts';
import type { Facts } from './facts.ts';
import { createWarmReadings } from './warm-readings.ts';

/** The customer's own blocklist, for lookups and decisions. Rejects when the answer cannot be known. */
export interface BlocklistMembership {
  has(owner: Owner, domain: string): boolean | Promise<boolean>;
}

/** The options of a request. */
export interface LookupOptions {
  readonly includeMx: boolean;
  /** Hold the answer for the slow facts: `domain_age_in_days`, `domain_authority`. */
  readonly wait: ReadonlySet<string>;
  /** Facts that take longer than this are unknown; undefined for no limit besides the usual ones. */
  readonly withinMs?: number;
}

/** The signals of a subject for one caller. */
export interface LookupResult extends CallerFacts {
  readonly subject: Subject;
  /** The readings of the domain: one object until something about the domain changes, so that texts made from it can be kept with it. */
  readonly readings: Readings;
  /** The input of the address's signals, which are read on demand. */
  readonly sources: Sources;
}

export interface LookupParts {
  readonly lists: ListSource;
  readonly facts: Facts;
  readonly blocklist: BlocklistMembership;
  readonly now: () => number;
  readonly waitMaxMs: number;
}

/** Looks a subject up for a caller. */
export type Lookup = (subject: Subject, caller: Caller, options: LookupOptions) => LookupResult | Promise<LookupResult>;

export function createLookup({ lists, facts, blocklist, now, waitMaxMs }: LookupParts): Lookup {
  const warm = createWarmReadings();
  const compose = (subject: Subject, known: DomainFacts, blocklisted: boolean | null): LookupResult => {
    const sources = { lists, facts: known, nowMs: now() };
    return { subject, readings: warm.readingsOf(subject.domain, sources), sources, blocklisted };
  };
  /** Both names in `wait` depend on the registration date, but the authority of a ranked domain is known without it. */
  const needsDate = (wait: ReadonlySet<string>, domain: Domain): boolean =>
    wait.has('domain_age_in_days') || (wait.has('domain_authority') && facts.rank(domain) === null);
  return (subject, caller, { includeMx, wait, withinMs = Number.POSITIVE_INFINITY }) => {
    const { domain } = subject;
    const { plan } = caller;
    const holds = plan.pro && needsDate(wait, domain);
    const known = facts.factsOf(domain, {
      mx: includeMx,
      waitForRegistrationMs: holds ? Math.min(waitMaxMs, withinMs) : 0,
      withinMs,
    });
    const blocklisted = plan.pro ? blocklist.has(caller, domain.ascii) : null;
    if (known instanceof Promise || blocklisted instanceof Promise) {
      return Promise.all([known, blocklisted]).then(([facts, listed]) => compose(subject, facts, listed));
    }
    return compose(subject, known, blocklisted);
  };
}
