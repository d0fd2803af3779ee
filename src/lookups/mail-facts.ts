import type { Domain } from '../address/domain.ts';
import type { DnsSource } from '../mail/dns-source.ts';
import { witnessDns } from '../mail/dns-witness.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import type { Deadline } from '../platform/deadline.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { timeoutAfterIo } from '../platform/time/timeout-after-io.ts';
import { type Reading, unknown } from '../reading.ts';
import type { MailFacts } from '../signals/sources.ts';
import type { FactWriter } from './fact-writer.ts';
import type { Fact, FactsStore } from './facts-store.ts';
import {
  bytesOf,
  freshMs,
  type HostTables,
  isTooOld,
  type Kind,
  type KnownMail,
  newKnownMail,
  type Outcome,
  pending,
  restore,
  type Slot,
  undoubted,
  type Values,
  viewOf,
} from './known-mail.ts';
import { isRetracted, type Retraction } from './retraction.ts';

/** Queries the DNS for one kind of fact. */
export type MailReaders = {
  readonly [K in Kind]: (
    domain: Domain,
    dns: DnsSource,
    deadline: Deadline,
  ) => Reading<Values[K]> | Promise<Reading<Values[K]>>;
};

export interface MailFactsOptions extends HostTables {
  readonly dns: DnsSource;
  readonly readers: MailReaders;
  readonly store: FactsStore;
  readonly writer: FactWriter;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly deadlineMs: number;
  /** No query can be sent. */
  readonly isOffline?: boolean;
  readonly maxDomains?: number;
  /** Estimated, of all domains together. */
  readonly maxBytes?: number;
  onStoreError(error: unknown): void;
}

const failureMs = 5_000;
/**
 * The source of a stored answer that DNS does not allow to be cached (RFC 2308, section 5). Only an offline process uses it: it
 * can query nothing, and a missing part would change every signal that weighs the known ones.
 */
const uncacheable = 'dns, uncacheable';
/** A query continues for at least this long, however short the request's deadline is. */
const minBackgroundMs = 10_000;
const kindsWithoutMx: readonly Kind[] = ['spf', 'dmarc', 'dnsbl'];
const kinds: readonly Kind[] = ['mx', ...kindsWithoutMx];

/** The mail facts of domains: from memory when fresh, else queried in parallel within one deadline. */
export function createMailFacts(options: MailFactsOptions) {
  const { now, monotonicMs } = options;
  const entries = boundedMap<string, KnownMail>(options.maxDomains ?? 100_000, {
    maxWeight: options.maxBytes ?? 100_000_000,
  });

  /** Set while facts of a lying server may still arrive. */
  let doubt: Retraction | null = null;

  const show = (domain: Domain, entry: KnownMail): void => {
    entry.view = viewOf(domain, entry, options);
    const bytes = bytesOf(entry);
    if (bytes === entry.bytes) return;
    entry.bytes = bytes;
    if (entries.get(domain.ascii) === entry) entries.set(detachedCopy(domain.ascii), entry, bytes);
  };

  const ask = createQueries(options, () => doubt, show);
  const load = createLoad(options, () => doubt, show);

  const areFresh = ({ slots }: KnownMail, wanted: readonly Kind[]): boolean => {
    const nowMs = monotonicMs();
    for (const kind of wanted) if (slots[kind].expiresAtMs <= nowMs) return false;
    return true;
  };

  const expiredOf = ({ slots }: KnownMail, wanted: readonly Kind[]): Kind[] => {
    const nowMs = monotonicMs();
    return wanted.filter((kind) => slots[kind].expiresAtMs <= nowMs);
  };

  /** A silent DNS must not bring back facts that were learnt days ago and not requested since. */
  const dropStale = (domain: Domain, entry: KnownMail): void => {
    const nowMs = now();
    const old = kinds.filter((kind) => isTooOld(entry.slots[kind], nowMs));
    for (const kind of old) entry.slots[kind].reading = pending;
    if (old.length > 0) show(domain, entry);
  };

  /** Requests expired facts; returns the queries in flight. */
  const askFor = (domain: Domain, entry: KnownMail, wanted: readonly Kind[]): Promise<void>[] => {
    dropStale(domain, entry);
    const expired = expiredOf(entry, wanted);
    const flights = expired.map((kind) => ask(domain, entry, kind)).filter((flight) => flight !== null);
    if (flights.length < expired.length) show(domain, entry);
    return flights;
  };

  const learn = async (
    domain: Domain,
    entry: KnownMail,
    wanted: readonly Kind[],
    withinMs: number,
  ): Promise<MailFacts> => {
    const deadline = timer(Math.min(options.deadlineMs, withinMs));
    try {
      if (entry.loading !== null) await Promise.race([entry.loading, deadline.promise]);
      await Promise.race([Promise.all(askFor(domain, entry, wanted)), deadline.promise]);
    } finally {
      deadline.cancel();
    }
    return entry.view;
  };

  return {
    /** The facts; requests missing and expired ones and waits until the deadline. Not a promise when all are fresh. */
    mailFactsOf(domain: Domain, wanted: { mx: boolean; withinMs?: number }): MailFacts | Promise<MailFacts> {
      const asked = wanted.mx ? kinds : kindsWithoutMx;
      let entry = entries.get(domain.ascii);
      if (entry === undefined) {
        entry = newKnownMail();
        load(domain, entry);
        entries.set(detachedCopy(domain.ascii), entry, entry.bytes);
      }
      // Stored facts, and facts that cannot be requested, need no waiting.
      const isComplete =
        entry.loading === null && (areFresh(entry, asked) || askFor(domain, entry, asked).length === 0);
      return isComplete ? entry.view : learn(domain, entry, asked, wanted.withinMs ?? options.deadlineMs);
    },
    /** Drops retracted facts, and facts that were unknown because no server could be trusted. */
    retract(retraction: Retraction): void {
      doubt = retraction;
      const isDoubtful = (kind: Kind, { reading, learntAtMs }: Slot<unknown>): boolean =>
        reading.known
          ? isRetracted(retraction, { kind, value: reading.value, learntAtMs })
          : reading.reason === 'untrusted';
      for (const [name, { slots }] of entries.entries()) {
        if (kinds.some((kind) => isDoubtful(kind, slots[kind]))) entries.delete(name);
      }
    },
    size: () => entries.size,
    bytes: () => entries.weight,
  };
}

/** Queries the DNS for facts and keeps the answers; `show` updates the view of an answer that arrived later. */
function createQueries(
  options: MailFactsOptions,
  doubt: () => Retraction | null,
  show: (domain: Domain, entry: KnownMail) => void,
) {
  const { now, monotonicMs } = options;

  const record = <K extends Kind>(domain: Domain, entry: KnownMail, kind: K, outcome: Outcome<Values[K]>): void => {
    const { isFleeting } = outcome;
    const doubted = doubt();
    const reading = doubted === null ? outcome.reading : undoubted(doubted, kind, outcome);
    const slot = entry.slots[kind];
    slot.flight = null;
    if (reading.known) {
      slot.reading = reading;
      // An uncacheable answer is requested again next time, and not used after a failure.
      slot.learntAtMs = isFleeting ? 0 : now();
      slot.expiresAtMs = isFleeting ? 0 : monotonicMs() + freshMs;
      // A DNS blocklist's answer expires too soon to be worth storing.
      const source = isFleeting ? uncacheable : 'dns';
      if (kind !== 'dnsbl')
        options.writer.add({ domain: domain.ascii, kind, value: reading.value, source, learntAtMs: now() });
    } else {
      if (!slot.reading.known || isTooOld(slot, now())) slot.reading = reading;
      // Not applicable is not a failure, so it is not retried soon.
      slot.expiresAtMs = monotonicMs() + (reading.reason === 'not_applicable' ? freshMs : failureMs);
    }
  };

  /** Null when the answer was available synchronously; the caller then updates the view. */
  const ask = <K extends Kind>(domain: Domain, entry: KnownMail, kind: K): Promise<void> | null => {
    const slot = entry.slots[kind];
    if (slot.flight !== null) return slot.flight;
    // A query may outlive its request, so that a later request has the answer.
    const askedAtMs = now();
    const dns = witnessDns(options.dns);
    const end = (reading: Reading<Values[K]>): void =>
      record(domain, entry, kind, { reading, askedAtMs, isFleeting: dns.isFleeting() });
    const deadline = { atMs: askedAtMs + Math.max(2 * options.deadlineMs, minBackgroundMs) };
    const reading = options.readers[kind](domain, dns, deadline);
    if (!(reading instanceof Promise)) {
      end(reading);
      return null;
    }
    const endLater = (answer: Reading<Values[K]>): void => {
      end(answer);
      show(domain, entry);
    };
    slot.flight = reading.then(endLater, () => endLater(unknown('failed')));
    return slot.flight;
  };

  return ask;
}

/** Loads stored facts. */
function createLoad(
  options: MailFactsOptions,
  doubt: () => Retraction | null,
  show: (domain: Domain, entry: KnownMail) => void,
) {
  return (domain: Domain, entry: KnownMail): void => {
    const keep = (facts: readonly Fact[]): void => {
      const doubted = doubt();
      const usable = facts.filter(({ source }) => source !== uncacheable || options.isOffline);
      for (const fact of usable) if (doubted === null || !isRetracted(doubted, fact)) restore(entry, fact, options);
      if (facts.length > 0) show(domain, entry);
    };
    const facts = options.store.load(domain.ascii);
    if (!(facts instanceof Promise)) {
      keep(facts);
      return;
    }
    entry.loading = facts
      .then(keep)
      .catch(options.onStoreError)
      .finally(() => {
        entry.loading = null;
      });
  };
}

export type MailFactsSource = ReturnType<typeof createMailFacts>;

function timer(delayMs: number): { promise: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, ...timeoutAfterIo(Math.max(0, delayMs), resolve) };
}
