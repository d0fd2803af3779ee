import type { Evidence, Reading, UnknownReason } from '../reading.ts';
import { registered, type SignalName, type signals } from './registry.ts';
import type { Sources } from './signal.ts';
import type { Subject } from './subject.ts';

type ReadOf<S> = S extends { read(...given: never[]): infer R } ? R : never;

/** A reading of every signal that is the same for all callers. */
export type Readings = {
  readonly [Name in SignalName as (typeof signals)[Name] extends { read: unknown } ? Name : never]: ReadOf<
    (typeof signals)[Name]
  >;
};

const all = registered().flatMap(({ key, signal }) =>
  'read' in signal ? [{ key: key as keyof Readings, signal }] : [],
);
const explained = all.flatMap(({ key, signal: { lookup } }) =>
  lookup === undefined ? [] : [{ key, name: lookup.name }],
);

/** Reads every signal about a subject. Never throws: what could not be found out is unknown. */
export function readSignals(subject: Subject, sources: Sources): Readings {
  const gathered: Partial<Record<SignalName, Reading<unknown>>> = {};
  for (const { key, signal } of all) gathered[key] = signal.read(subject, sources);
  return gathered as Readings;
}

/** Why a signal has the value it has, or none. */
export type Explanation =
  | { readonly known: true; readonly evidence: readonly Evidence[] }
  | { readonly known: false; readonly reason: UnknownReason };

/** The reasons behind every reading, by the signal's name in lookups. */
export function explainReadings(readings: Readings): Record<string, Explanation> {
  return Object.fromEntries(explained.map(({ key, name }) => [name, explainReading(readings[key])]));
}

function explainReading(reading: Reading<unknown>): Explanation {
  return reading.known ? { known: true, evidence: reading.why?.() ?? [] } : { known: false, reason: reading.reason };
}
