import type { Domain } from '../address/domain.ts';
import { type Evidence, type Reading, type UnknownReason, unknown } from '../reading.ts';
import { type domainSignals, registered } from './registry.ts';
import type { AnySignal, Sources } from './signal.ts';
import type { Subject } from './subject.ts';

type ReadOf<S> = S extends { read(...given: never[]): infer R } ? R : never;

type DomainSignals = typeof domainSignals;

/** A reading of every signal of a domain that is the same for all callers. */
export type Readings = {
  readonly [Name in keyof DomainSignals as DomainSignals[Name] extends { read: unknown } ? Name : never]: ReadOf<
    DomainSignals[Name]
  >;
};

const all = registered().flatMap(({ key, signal }) => ('read' in signal ? [{ key, signal }] : []));
const ofDomains = all.flatMap(({ key, signal }) =>
  signal.subject === 'domain' ? [{ key: key as keyof Readings, signal }] : [],
);
const explained = all.flatMap(({ signal }) =>
  signal.lookup === undefined ? [] : [{ name: signal.lookup.name, signal }],
);

/** Copies start with every property, so that they do not grow with each reading. */
const empty = Object.fromEntries(ofDomains.map(({ key }) => [key, unknown('pending')])) as Gathered;
type Gathered = Record<keyof Readings, Reading<unknown>>;

/** Reads every signal about a domain. Never throws: a reading that fails is unknown. */
export function readSignals(domain: Domain, sources: Sources): Readings {
  const subject = { domain, address: null };
  const gathered = { ...empty };
  for (const { key, signal } of ofDomains) gathered[key] = signal.read(subject, sources);
  return gathered as Readings;
}

/** Why a signal has the value it has, or none. */
export type Explanation =
  | { readonly known: true; readonly evidence: readonly Evidence[] }
  | { readonly known: false; readonly reason: UnknownReason };

/** The reasons behind everything lookups say of a subject, by the signal's name there. */
export function explainSignals(subject: Subject, sources: Sources): Record<string, Explanation> {
  return Object.fromEntries(explained.map(({ name, signal }) => [name, explain(signal, subject, sources)]));
}

function explain(signal: AnySignal, subject: Subject, sources: Sources): Explanation {
  const reading = signal.read(subject, sources);
  if (!reading.known) return { known: false, reason: reading.reason };
  return { known: true, evidence: reading.why?.() ?? signal.why?.(subject, sources) ?? [] };
}
