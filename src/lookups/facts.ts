import { setTimeout as sleep } from 'node:timers/promises';
import type { Domain } from '../address/domain.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import type { DomainFacts, MailFacts, RankSource } from '../signals/sources.ts';
import type { MailFactsSource } from './mail-facts.ts';
import type { RegistrationFactsSource } from './registration-facts.ts';

/** The facts that a request needs. */
export interface FactsWanted {
  /** False sends no MX query. */
  readonly mx: boolean;
  /** Hold the answer until the registration date is there, at most this long. */
  readonly waitForRegistrationMs: number;
  /** Facts that take longer than this are unknown; undefined for the usual limits. */
  readonly withinMs?: number;
}

/** Facts about domains from the network. */
export interface Facts {
  /** Not a promise when every fact is in memory and fresh. */
  factsOf(domain: Domain, wanted: FactsWanted): DomainFacts | Promise<DomainFacts>;
  /** Popularity rank of the registrable domain; null when it is not ranked. */
  rank(domain: Domain): number | null;
}

export function createFacts(mail: MailFactsSource, registration: RegistrationFactsSource, ranks: RankSource): Facts {
  const rank = (domain: Domain) => (domain.registrable === null ? null : ranks.rank(domain.registrable));
  const compose = (domain: Domain, mail: MailFacts): DomainFacts => ({
    mx: mail.mx,
    mxProviders: mail.mxProviders,
    disposableMx: mail.disposableMx,
    disposableMail: mail.disposableMail,
    spf: mail.spf,
    dmarc: mail.dmarc,
    dnsbl: mail.dnsbl,
    registeredAtMs: registration.registrationOf(domain),
    rank: rank(domain),
    isRankingLoaded: ranks.isLoaded,
    ranking: ranks,
  });
  const held = async (domain: Domain, wanted: FactsWanted): Promise<DomainFacts> => {
    const [facts] = await Promise.all([
      mail.mailFactsOf(domain, wanted),
      withLimit(registration.whenKnown(domain), wanted.waitForRegistrationMs),
    ]);
    return compose(domain, facts);
  };
  return {
    rank,
    factsOf(domain, wanted) {
      if (wanted.waitForRegistrationMs > 0) return held(domain, wanted);
      const known = mail.mailFactsOf(domain, wanted);
      // Started now, so that one read of the storage serves both.
      if (known instanceof Promise) registration.registrationOf(domain);
      return mapMaybePromise(known, (facts) => compose(domain, facts));
    },
  };
}

async function withLimit(work: Promise<void>, limitMs: number): Promise<void> {
  const ended = new AbortController();
  try {
    await Promise.race([work, sleep(limitMs, undefined, { signal: ended.signal, ref: false })]);
  } finally {
    ended.abort();
  }
}
