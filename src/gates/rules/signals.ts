import { type AnyIpSignal, ipSignals } from '../../ip/ip-signals.ts';
import { type Registered, registered, type SignalName } from '../../signals/registry.ts';
import type { AnySignal, Described, GatesPlace } from '../../signals/signal.ts';
import type { Naming } from '../../signals/sources.ts';
import { trafficSignals } from '../../signals/traffic-signals.ts';
import type { SignalValue } from '../../signals/value-schema.ts';

/** The values of one subject's signals, in their order; null is unknown. */
export type Values = readonly (SignalValue | null)[];

/** Everything a gate decides from: no `email` for a domain input, no `ip` when none was sent. */
export interface DecisionSignals {
  readonly email: Values | null;
  readonly domain: Values;
  readonly ip: Values | null;
  /** Null for a domain input; absent where traffic is not counted. */
  readonly traffic?: Values | null;
  /** The sources of lists that name the domain, for the log; no rule sees them. */
  readonly namedBy?: readonly Naming[];
}

/** The subject of a signal, by its name in Gates. */
export type SubjectName = Exclude<keyof DecisionSignals, 'namedBy'>;

/** A signal that rules see, and its place there. */
export type GateSignal<S extends Described> = S & { readonly gates: GatesPlace };

const seen = <S extends Described>(signal: S): signal is GateSignal<S> => signal.gates !== undefined;

const emailSignals = registered().flatMap(({ signal }): GateSignal<AnySignal>[] =>
  signal.subject === 'address' && 'read' in signal && seen(signal) ? [signal] : [],
);

const domainSignals = registered().flatMap(({ key, signal }): (GateSignal<Registered['signal']> & Keyed)[] =>
  signal.subject === 'domain' && seen(signal) ? [{ ...signal, key }] : [],
);

interface Keyed {
  readonly key: SignalName;
}

/** The signals that rules see, by subject; the first of each but traffic is the subject itself. */
export const gateSignals = {
  email: emailSignals,
  domain: domainSignals,
  ip: ipSignals.filter((signal): signal is GateSignal<AnyIpSignal> => seen(signal)),
  traffic: trafficSignals,
} as const;

/** The position of a signal among its subject's values. */
export function placeOf(subject: SubjectName, name: string): number {
  const place = gateSignals[subject].findIndex(({ gates }) => gates.name === name);
  if (place === -1) throw new Error(`there is no signal ${subject}.${name}`);
  return place;
}
