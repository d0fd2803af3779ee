import type { Domain } from '../address/domain.ts';
import type { DnsSource } from '../mail/dns-source.ts';
import { witnessDns } from '../mail/dns-witness.ts';
import type { Deadline } from '../platform/deadline.ts';
import { detachedCopy } from '../platform/detached-copy.ts';
import { timeoutAfterIo } from '../platform/timeout-after-io.ts';
import { weightedMap } from '../platform/weighted-map.ts';
import { type Known, type Reading, unknown } from '../reading.ts';
import type { MailFacts } from '../signals/sources.ts';
import type { AskedOnce } from './asked-once.ts';
import { dnsblFact } from './dnsbl-fact.ts';
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

/** Asks the DNS for one kind of fact. */
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
  /** Where several instances share the facts. */
  readonly askedOnce?: AskedOnce;
  /** The DNS blocklists that are asked. */
  readonly dnsblZones?: readonly string[];
  readonly maxDomains?: number;
  /** Estimated, of all domains together. */
  readonly maxBytes?: number;
  onStoreError(error: unknown): void;
}

const failureMs = 5_000;
/** A question goes on for at least this long, however soon the request that asked it must answer. */
const leastBackgroundMs = 10_000;
const kinds: readonly Kind[] = ['mx', 'spf', 'dmarc', 'dnsbl'];
/** Nothing is known but what blocklists say for a moment, and nobody here is asking. */
const isCold = ({ slots }: KnownMail): boolean =>
  kinds.every((kind) => kind === 'dnsbl' || (!slots[kind].reading.known && slots[kind].flight === null));

/** The mail facts of domains: from memory when fresh, else asked in parallel within one deadline. */
export function createMailFacts(options: MailFactsOptions) {
  const { now, monotonicMs, dnsblZones = [] } = options;
  const restoring = { now, monotonicMs, dnsblZones };
  /** Other instances get it from the storage. What blocklists say is true for a moment, and kept only where there are others. */
  const isStored = (kind: Kind): boolean =>
    kind !== 'dnsbl' || (dnsblZones.length > 0 && options.askedOnce?.hasOthers() === true);
  const entries = weightedMap<string, KnownMail>(options.maxDomains ?? 100_000, options.maxBytes ?? 100_000_000);

  /** Set while a server that turned out to lie may have left something behind. */
  let doubt: Retraction | null = null;

  const show = (domain: Domain, entry: KnownMail): void => {
    entry.view = viewOf(domain, entry, options);
    const bytes = bytesOf(entry);
    if (bytes === entry.bytes) return;
    entry.bytes = bytes;
    if (entries.get(domain.ascii) === entry) entries.set(detachedCopy(domain.ascii), entry, bytes);
  };

  const factOf = (domain: string, kind: Kind, reading: Known<unknown>, learntAtMs: number): Fact =>
    kind === 'dnsbl'
      ? dnsblFact(domain, reading, dnsblZones, learntAtMs)
      : { domain, kind, value: reading.value, source: 'dns', learntAtMs };

  const settle = <K extends Kind>(domain: Domain, entry: KnownMail, kind: K, outcome: Outcome<Values[K]>): void => {
    const { askedAtMs, isFleeting } = outcome;
    const reading = doubt === null ? outcome.reading : undoubted(doubt, kind, outcome);
    const slot = entry.slots[kind];
    slot.flight = null;
    if (reading.known) {
      slot.reading = reading;
      // Whoever asks next asks again, when nobody said that the answer may be kept, and no failure brings it back.
      slot.learntAtMs = isFleeting ? 0 : askedAtMs;
      slot.expiresAtMs = isFleeting ? 0 : monotonicMs() + freshMs;
      if (isStored(kind) && !isFleeting) options.writer.add(factOf(domain.ascii, kind, reading, askedAtMs));
    } else {
      if (!slot.reading.known || isTooOld(slot, now())) slot.reading = reading;
      // "There is nothing to know" is not a failure, so it is not tried again soon.
      slot.expiresAtMs = monotonicMs() + (reading.reason === 'not_applicable' ? freshMs : failureMs);
    }
  };

  /** Null when the answer was there at once; whoever asked shows it then. */
  const ask = <K extends Kind>(domain: Domain, entry: KnownMail, kind: K): Promise<void> | null => {
    const slot = entry.slots[kind];
    if (slot.flight !== null) return slot.flight;
    // A question may outlive the request that asked it, so that a later one has the answer.
    const askedAtMs = now();
    const dns = witnessDns(options.dns);
    const end = (reading: Reading<Values[K]>): void =>
      settle(domain, entry, kind, { reading, askedAtMs, isFleeting: dns.isFleeting() });
    const deadline = { atMs: askedAtMs + Math.max(2 * options.deadlineMs, leastBackgroundMs) };
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

  const load = (domain: Domain, entry: KnownMail): void => {
    const keep = (facts: readonly Fact[]): void => {
      for (const fact of facts) if (doubt === null || !isRetracted(doubt, fact)) restore(entry, fact, restoring);
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

  const expiredOf = ({ slots }: KnownMail, wanted: readonly Kind[]): Kind[] => {
    const nowMs = monotonicMs();
    return wanted.filter((kind) => slots[kind].expiresAtMs <= nowMs);
  };

  /** A silent DNS must not bring back what was learnt days ago and not asked for since. */
  const letGoOfOld = (domain: Domain, entry: KnownMail): void => {
    const nowMs = now();
    const old = kinds.filter((kind) => isTooOld(entry.slots[kind], nowMs));
    for (const kind of old) entry.slots[kind].reading = pending;
    if (old.length > 0) show(domain, entry);
  };

  /** Asks for what is not fresh; what is under way then. */
  const askFor = (domain: Domain, entry: KnownMail, wanted: readonly Kind[]): Promise<void>[] => {
    letGoOfOld(domain, entry);
    const expired = expiredOf(entry, wanted);
    const flights = expired.map((kind) => ask(domain, entry, kind)).filter((flight) => flight !== null);
    if (flights.length < expired.length) show(domain, entry);
    return flights;
  };

  /** Of a domain that no instance knows, what this one is to ask for: all of it, or what is not kept for others. */
  const shareOf = async (domain: Domain, entry: KnownMail, wanted: readonly Kind[]): Promise<readonly Kind[]> => {
    const { askedOnce } = options;
    const isOpen = (): boolean => expiredOf(entry, wanted).some(isStored);
    if (askedOnce === undefined || !isCold(entry) || !isOpen()) return wanted;
    const isKnown = async (): Promise<boolean> => {
      load(domain, entry);
      await entry.loading;
      return !isOpen();
    };
    const isToAsk = await askedOnce.isToAsk(domain.ascii, isKnown, now() + options.deadlineMs);
    return isToAsk ? wanted : wanted.filter((kind) => !isStored(kind));
  };

  /** Somebody else may be asking, where others are. */
  const mayAskAtOnce = (entry: KnownMail): boolean => options.askedOnce === undefined || !isCold(entry);

  const learn = async (domain: Domain, entry: KnownMail, wanted: readonly Kind[]): Promise<MailFacts> => {
    const deadline = timer(options.deadlineMs);
    try {
      if (entry.loading !== null) await Promise.race([entry.loading, deadline.promise]);
      const answers = Promise.all(askFor(domain, entry, await shareOf(domain, entry, wanted)));
      const end = (): void => options.askedOnce?.answered(domain.ascii);
      void answers.then(end, end);
      await Promise.race([answers, deadline.promise]);
    } finally {
      deadline.cancel();
    }
    return entry.view;
  };

  return {
    /** What is known now; asks for what is missing or old and waits for it until the deadline. No promise when all is fresh. */
    mailFactsOf(domain: Domain, wanted: { mx: boolean }): MailFacts | Promise<MailFacts> {
      const asked = wanted.mx ? kinds : kinds.slice(1);
      let entry = entries.get(domain.ascii);
      if (entry === undefined) {
        entry = newKnownMail();
        load(domain, entry);
        entries.set(detachedCopy(domain.ascii), entry, entry.bytes);
      }
      // What the storage has, and what cannot be asked, needs no waiting.
      const isSettled =
        entry.loading === null &&
        (expiredOf(entry, asked).length === 0 || (mayAskAtOnce(entry) && askFor(domain, entry, asked).length === 0));
      return isSettled ? entry.view : learn(domain, entry, asked);
    },
    /** Forgets what is in doubt, and what was unknown because nobody could be believed. */
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

export type MailFactsSource = ReturnType<typeof createMailFacts>;

function timer(delayMs: number): { promise: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, ...timeoutAfterIo(Math.max(0, delayMs), resolve) };
}
