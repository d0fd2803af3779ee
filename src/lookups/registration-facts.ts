import type { Domain } from '../address/domain.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { known, type Reading, type Unknown, unknown } from '../reading.ts';
import type { FactWriter } from './fact-writer.ts';
import type { Fact, FactsStore } from './facts-store.ts';

/** A registry's answer; the network side has the same shape. */
export type RegistrationAnswer =
  | { readonly kind: 'found'; readonly registeredAtMs: number; readonly source: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface RegistrationFactsOptions {
  /** Not a promise when no registry can be queried. */
  ask(registrable: string): RegistrationAnswer | Promise<RegistrationAnswer>;
  readonly store: FactsStore;
  readonly writer: FactWriter;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly maxDomains?: number;
  onStoreError(error: unknown): void;
}

const dayMs = 86_400_000;
/** A registration date does not change; a domain that expired and was registered again is seen after this. */
const foundFreshMs = 30 * dayMs;
const noneFreshMs = dayMs;
const failureMs = 30_000;

interface KeptRegistration {
  reading: Reading<number>;
  expiresAtMs: number;
  flight: Promise<void> | null;
}

const pending: Unknown = unknown('pending');
const notApplicable: Unknown = unknown('not_applicable');

/** Registration dates: learnt in the background; only requests with `wait` wait for them. */
export function createRegistrationFacts(options: RegistrationFactsOptions) {
  const { now, monotonicMs } = options;
  const entries = boundedMap<string, KeptRegistration>(options.maxDomains ?? 100_000);

  const remember = (entry: KeptRegistration, reading: Reading<number>, freshMs: number): void => {
    entry.reading = reading;
    entry.expiresAtMs = monotonicMs() + Math.min(freshMs, dayMs);
  };

  /** Keeps an older date: a failure does not make it wrong. */
  const rememberFailure = (entry: KeptRegistration, reason: 'offline' | 'failed'): void =>
    remember(entry, entry.reading.known ? entry.reading : unknown(reason), failureMs);

  /** Restores a stored date; false when there is no fresh one. */
  const restore = (entry: KeptRegistration, facts: readonly Fact[]): boolean => {
    const fact = facts.find(({ kind }) => kind === 'registration');
    const leftMs = fact === undefined ? 0 : freshnessOf(fact, now());
    if (fact === undefined || leftMs <= 0) return false;
    remember(entry, readingOf(fact), leftMs);
    return true;
  };

  const fromStore = (registrable: string, entry: KeptRegistration): boolean | Promise<boolean> => {
    const facts = options.store.load(registrable);
    if (!(facts instanceof Promise)) return restore(entry, facts);
    return facts
      .then((loaded) => restore(entry, loaded))
      .catch((error) => {
        options.onStoreError(error);
        return false;
      });
  };

  const learn = (registrable: string, entry: KeptRegistration): void | Promise<void> =>
    mapMaybePromise(fromStore(registrable, entry), (isStored) =>
      isStored ? undefined : mapMaybePromise(options.ask(registrable), (answer) => keep(registrable, entry, answer)),
    );

  const keep = (registrable: string, entry: KeptRegistration, answer: RegistrationAnswer): void => {
    if (answer.kind === 'failed') {
      rememberFailure(entry, answer.reason === 'offline' ? 'offline' : 'failed');
      return;
    }
    const value = answer.kind === 'found' ? answer.registeredAtMs : null;
    const source = answer.kind === 'found' ? answer.source : 'registry';
    const fact: Fact = { domain: registrable, kind: 'registration', value, source, learntAtMs: now() };
    options.writer.add(fact);
    remember(entry, readingOf(fact), freshnessOf(fact, now()));
  };

  const current = (registrable: string): KeptRegistration => {
    let entry = entries.get(registrable);
    if (entry === undefined) {
      entry = { reading: pending, expiresAtMs: 0, flight: null };
      entries.set(registrable, entry);
    }
    if (entry.flight === null && entry.expiresAtMs <= monotonicMs()) {
      const asked = entry;
      const learning = learn(registrable, asked);
      if (learning instanceof Promise) {
        entry.flight = learning
          .catch(() => rememberFailure(asked, 'failed'))
          .finally(() => {
            asked.flight = null;
          });
      }
    }
    return entry;
  };

  return {
    /** The known date; requests an unknown one. */
    registrationOf: (domain: Domain): Reading<number> =>
      // A tenant of a hosting service is not registered with a registry.
      domain.registrable === null || domain.privateSuffix ? notApplicable : current(domain.registrable).reading,
    /** Resolves when the date is known or unavailable; immediately for a known date that is only requested again. */
    async whenKnown(domain: Domain): Promise<void> {
      if (domain.registrable === null || domain.privateSuffix) return;
      const { reading, flight } = current(domain.registrable);
      if (!reading.known) await flight;
    },
    size: () => entries.size,
  };
}

export type RegistrationFactsSource = ReturnType<typeof createRegistrationFacts>;

function freshnessOf(fact: Fact, nowMs: number): number {
  const ageMs = nowMs - fact.learntAtMs;
  if (ageMs < 0) return 0;
  return (fact.value === null ? noneFreshMs : foundFreshMs) - ageMs;
}

function readingOf({ value, source, learntAtMs }: Fact): Reading<number> {
  if (typeof value !== 'number') return unknown('no_data');
  const evidence = {
    source,
    detail: `registered ${new Date(value).toISOString().slice(0, 10)}`,
    date: new Date(learntAtMs).toISOString(),
  };
  return known(value, () => [evidence]);
}
