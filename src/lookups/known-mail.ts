import type { Domain } from '../address/domain.ts';
import { type DisposableMxTable, disposableMail, disposableOperator, type LearntHosts } from '../mail/disposable-mx.ts';
import type { Dmarc } from '../mail/dmarc.ts';
import type { MxRecord } from '../mail/dns-source.ts';
import { hostBytes, maxMxRecords } from '../mail/mx.ts';
import { type MxProviderTable, recogniseProviders } from '../mail/mx-providers.ts';
import type { Spf } from '../mail/spf.ts';
import { known, type Reading, unknown } from '../reading.ts';
import type { MailFacts } from '../signals/sources.ts';
import type { Fact } from './facts-store.ts';
import { isRetracted, type Retraction } from './retraction.ts';

/** The kinds of facts that the DNS is queried for. */
export type Kind = 'mx' | 'spf' | 'dmarc' | 'dnsbl';
/** The result of each kind. */
export type Values = { mx: readonly MxRecord[]; spf: Spf; dmarc: Dmarc; dnsbl: boolean };

/** The DNS cache below keeps answers by their TTL; here a verdict is kept only so that it is not computed again. */
export const freshMs = 60_000;
/** Facts that another process or an earlier run learnt within this time count as fresh. */
const storedFreshMs = 3_600_000;
/** While the DNS fails, an older answer is better than none for this long. */
const staleMs = 86_400_000;

/** One kind of fact of one domain. */
export interface Slot<T> {
  reading: Reading<T>;
  learntAtMs: number;
  expiresAtMs: number;
  flight: Promise<void> | null;
}

/** The result of a query. */
export interface Outcome<T> {
  readonly reading: Reading<T>;
  readonly askedAtMs: number;
  /** Valid at the moment only: it is neither kept nor written. */
  readonly isFleeting: boolean;
}

/** All remembered mail facts of one domain. */
export interface KnownMail {
  readonly slots: { [K in Kind]: Slot<Values[K]> };
  loading: Promise<void> | null;
  view: MailFacts;
  /** The entry's memory in bytes, estimated. */
  bytes: number;
}

/** A fact that is not known yet. */
export const pending = unknown('pending');
/** Of an entry without mail hosts. */
const entryBytes = 1_000;

/** An entry's memory in bytes, estimated. */
export function bytesOf({ slots: { mx } }: KnownMail): number {
  return entryBytes + (mx.reading.known ? hostBytes(mx.reading.value) : 0);
}

/** A domain of which nothing is known. */
export function newKnownMail(): KnownMail {
  const slot = () => ({ reading: pending, learntAtMs: 0, expiresAtMs: 0, flight: null });
  return {
    slots: { mx: slot(), spf: slot(), dmarc: slot(), dnsbl: slot() },
    loading: null,
    view: {
      mx: pending,
      mxProviders: [],
      disposableMx: null,
      disposableMail: null,
      spf: pending,
      dmarc: pending,
      dnsbl: pending,
    },
    bytes: entryBytes,
  };
}

/** Identifies mail services by the names of their hosts. */
export interface HostTables {
  readonly providers: MxProviderTable;
  readonly disposableMx: DisposableMxTable;
  readonly learntHosts: LearntHosts;
}

/** An entry as signals see it. */
export function viewOf(domain: Domain, { slots }: KnownMail, tables: HostTables): MailFacts {
  const { providers, disposableMx, learntHosts } = tables;
  const mx = slots.mx.reading;
  return {
    mx,
    mxProviders: mx.known ? recogniseProviders(mx.value, providers, domain) : [],
    disposableMx: mx.known ? disposableOperator(mx.value, disposableMx) : null,
    disposableMail: mx.known ? disposableMail(domain, mx.value, disposableMx, learntHosts) : null,
    spf: slots.spf.reading,
    dmarc: slots.dmarc.reading,
    dnsbl: slots.dnsbl.reading,
  };
}

/** The reading; unknown if a server was found lying while the query was in flight. */
export function undoubted<T>(doubt: Retraction, kind: Kind, { reading, askedAtMs }: Outcome<T>): Reading<T> {
  const learntAtMs = Math.max(askedAtMs, doubt.sinceMs);
  const isDoubtful = reading.known && isRetracted(doubt, { kind, value: reading.value, learntAtMs });
  return isDoubtful ? unknown('untrusted') : reading;
}

/** Whether an answer is too old to be used in place of a newer one. */
export function isTooOld({ reading, learntAtMs }: Slot<unknown>, nowMs: number): boolean {
  return reading.known && nowMs - learntAtMs > staleMs;
}

/** The wall clock and the clock that expiry is measured with. */
export interface Clocks {
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

/** Puts a stored fact in its place, unless something newer is there. */
export function restore(entry: KnownMail, fact: Fact, { now, monotonicMs }: Clocks): void {
  if (fact.kind === 'registration') return;
  const ageMs = now() - fact.learntAtMs;
  // A date in the future means that the clock was changed: such a fact is queried again.
  if (ageMs < 0 || ageMs > staleMs) return;
  const slot = entry.slots[fact.kind] as Slot<unknown>;
  // A slow storage may come after the answer of the DNS.
  if (slot.reading.known && slot.learntAtMs >= fact.learntAtMs) return;
  const date = new Date(fact.learntAtMs).toISOString();
  // An earlier version stored as many hosts as there were.
  const value = Array.isArray(fact.value) ? fact.value.slice(0, maxMxRecords) : fact.value;
  slot.reading = remembered(value, fact.source, date);
  slot.learntAtMs = fact.learntAtMs;
  slot.expiresAtMs = ageMs < storedFreshMs ? monotonicMs() + freshMs : 0;
}

/** Keeps only the fact's values in memory: evidence that closes over the fact would keep all of it. */
function remembered(value: unknown, source: string, date: string): Reading<unknown> {
  return known(value, () => [{ source, detail: 'learnt earlier', date }]);
}
