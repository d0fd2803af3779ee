import type { Evidence, Reading } from '../reading.ts';
import type { DomainFacts, ListSource } from './sources.ts';
import type { Subject } from './subject.ts';
import type { SignalValue, ValueSchema, WireSchema } from './value-schema.ts';

/** The inputs of a signal: the lists in memory, network facts about the domain, and the time. */
export interface Sources {
  readonly lists: ListSource;
  readonly facts: DomainFacts;
  readonly nowMs: number;
}

/** Facts that depend on the caller; null on a plan without a blocklist. */
export interface CallerFacts {
  readonly blocklisted: boolean | null;
}

/** Kinds of names with more than one spelling: a domain or host (or labels of one), an address, an IP address. */
export type Named = 'name' | 'email' | 'ip';

/** Under which headings signals are shown, in this order. */
export const signalGroups = [
  'Email',
  'Domain · name',
  'Domain · standing',
  'Domain · mail',
  'Domain · lists',
  'IP',
  'IP · place',
  'IP · network',
  'traffic',
] as const;
export type SignalGroup = (typeof signalGroups)[number];

/**
 * The description of a signal, independent of its source. Schemas, bodies, the field catalogue, the log, the columns of
 * `check` and the reference follow from it.
 */
export interface Described {
  readonly subject: 'address' | 'domain' | 'ip' | 'traffic';
  /** Its values on the wire. Enumerated values and bounds are here and nowhere else. */
  readonly schema: WireSchema;
  /** One line about it, for the field catalogue and the reference. */
  readonly about: string;
  /** Its name in the user interface, shown beside its group. */
  readonly label: string;
  /** With which others it is shown. */
  readonly group: SignalGroup;
  readonly unit?: string;
  /** The kind of name in its texts; rules compare texts in the canonical form of that kind. */
  readonly names?: Named;
  /** Left out of lookups on a plan that is not Pro. */
  readonly pro?: true;
  /** Its place in lookups; without one they do not show it. */
  readonly lookup?: LookupPlace;
  /** Its place in Gates; without one rules do not see it. */
  readonly gates?: GatesPlace;
}

/** How a signal appears in the body of a lookup. */
export interface LookupPlace {
  readonly name: string;
  /** Never null there; a boolean that is unknown is false. */
  readonly always?: true;
  /** Shown by `explain` alone. */
  readonly explainOnly?: true;
  /** Left out with `include_mx=false`. */
  readonly needsMx?: true;
  /** Left out unless this field of the same body is true. */
  readonly onlyWith?: string;
  readonly deprecated?: true;
  /** Added to the description in the schema. */
  readonly note?: string;
  /** Its place in the overview of `check`: verdicts come before facts; without one it has no column. */
  readonly column?: 'verdict' | 'fact';
}

/** How a signal appears in the fields of rules, in decisions and in their log. */
export interface GatesPlace {
  /** Its name below the subject's; a dot makes an object on the wire (`geo.city`). */
  readonly name: string;
  /** Always known there, so never null. */
  readonly always?: true;
  /** Which properties of a list's elements are fields. */
  readonly items?: Readonly<Record<string, ItemField>>;
  /** It contains part of an address, so a log with hashed addresses keeps its hash, or nothing. */
  readonly personal?: 'hash' | 'nothing';
  /** Added to the description in the schema. */
  readonly note?: string;
  /** No field: responses and the log have it, conditions cannot name it. */
  readonly isHidden?: true;
}

/** A property of a list's elements that is a field: what people call it, one line about it, and its values where they are few. */
export interface ItemField {
  readonly label: string;
  readonly about: string;
  readonly values?: readonly string[];
}

/** One thing the service can say about a domain or an address. Its entry in the registry is its whole registration. */
export type Signal<T extends SignalValue> = Described & {
  readonly schema: ValueSchema<T>;
  /** Where it comes from, for the reference. */
  readonly from: string;
  /** Pure and synchronous: all queries were answered before. */
  read(subject: Subject, sources: Sources): Reading<T>;
  /** The reasons behind a known value, where the reading itself has none. Only `explain` asks. */
  why?(subject: Subject, sources: Sources): Evidence[];
  /** The reading in the lookup of an address, where it differs from the reading of its domain. */
  forAddress?(ofDomain: Reading<T>, subject: Subject, sources: Sources): Reading<T>;
};

/** A signal whose type does not matter at the moment. */
export type AnySignal = Described & {
  readonly from: string;
  read(subject: Subject, sources: Sources): Reading<SignalValue>;
  why?(subject: Subject, sources: Sources): Evidence[];
  forAddress?(ofDomain: Reading<SignalValue>, subject: Subject, sources: Sources): Reading<SignalValue>;
};

/** One thing that is true of a domain for one caller. */
export type CallerSignal<T extends SignalValue> = Described & {
  readonly schema: ValueSchema<T>;
  readonly from: string;
  readForCaller(caller: CallerFacts): Reading<T>;
};

/** A signal of one caller whose type does not matter at the moment. */
export type AnyCallerSignal = Described & {
  readonly from: string;
  readForCaller(caller: CallerFacts): Reading<SignalValue>;
};
