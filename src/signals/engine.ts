import { type Evidence, known, type Reading, type UnknownReason } from '../reading.ts';
import { type SignalName, signals } from './registry.ts';
import type { Sources } from './signal.ts';
import type { Subject } from './subject.ts';

/** A reading of every signal. */
export type Readings = { readonly [Name in SignalName]: ReturnType<(typeof signals)[Name]['read']> };

const names = Object.keys(signals) as SignalName[];

/** Reads every signal about a subject. Never throws: what could not be had is unknown. */
export function readSignals(subject: Subject, sources: Sources): Readings {
  const gathered: Partial<Record<SignalName, Reading<unknown>>> = {};
  for (const name of names) gathered[name] = signals[name].read(subject, sources);
  return gathered as Readings;
}

/** Reads the signals of an address whose domain was read before. Each is named here, so that the object is made in one go. */
export function readAddressSignals(subject: Subject, sources: Sources, domain: Readings): Readings {
  return {
    ...domain,
    disposableAddress: signals.disposableAddress.read(subject, sources),
    normalizedEmail: signals.normalizedEmail.read(subject, sources),
    alias: signals.alias.read(subject, sources),
    roleAccount: signals.roleAccount.read(subject, sources),
  };
}

/** Why a signal has the value it has, or none. */
export type Explanation =
  | { readonly known: true; readonly evidence: readonly Evidence[] }
  | { readonly known: false; readonly reason: UnknownReason };

/** The reasons behind every reading, by the signal's name on the wire. */
export function explainReadings(readings: Readings): Record<string, Explanation> {
  return Object.fromEntries(names.map((name) => [signals[name].name, explainReading(readings[name])]));
}

function explainReading(reading: Reading<unknown>): Explanation {
  return reading.known ? { known: true, evidence: reading.why?.() ?? [] } : { known: false, reason: reading.reason };
}

/** The lookup's `disposable`: the domain's verdict or the address's own. */
export function disposableOverall({ disposable, disposableAddress }: Readings): Reading<boolean> {
  return disposableAddress.known && disposableAddress.value ? known(true, disposableAddress.why) : disposable;
}
