/** Why a signal has no value. Unknown is a value: it becomes `null` on the wire and never fails a request. */
export type UnknownReason = 'offline' | 'timeout' | 'failed' | 'untrusted' | 'pending' | 'no_data' | 'not_applicable';

/** One reason behind a verdict, shown by `explain`. */
export interface Evidence {
  /** The origin: a list source (`fakefilter`), `dns`, `rdap`, `operator`, `table`. */
  readonly source: string;
  /** The finding, as one short sentence or the matching entry. */
  readonly detail: string;
  /** The list entry that matched, itself or a parent. */
  readonly entry?: string;
  /** The date of the list or fact, ISO 8601. */
  readonly date?: string;
}

/** A signal whose value is known. `why` is the evidence, computed only for `explain`. */
export interface Known<T> {
  readonly known: true;
  readonly value: T;
  readonly why?: () => Evidence[];
}

/** A signal whose value is unknown, and why. */
export interface Unknown {
  readonly known: false;
  readonly reason: UnknownReason;
}

export type Reading<T> = Known<T> | Unknown;

export function known<T>(value: T, why?: () => Evidence[]): Known<T> {
  return why === undefined ? { known: true, value } : { known: true, value, why };
}

/** A reading that is true or false. The two objects are shared: most readings are of this kind, and thousands are cached. */
export function knownBoolean(value: boolean): Known<boolean> {
  return value ? knownTrue : knownFalse;
}

const knownTrue: Known<boolean> = { known: true, value: true };
const knownFalse: Known<boolean> = { known: true, value: false };

/** A reading without a value; one shared object per reason. */
export function unknown(reason: UnknownReason): Unknown {
  return unknowns[reason];
}

const unknowns: Readonly<Record<UnknownReason, Unknown>> = {
  offline: { known: false, reason: 'offline' },
  timeout: { known: false, reason: 'timeout' },
  failed: { known: false, reason: 'failed' },
  untrusted: { known: false, reason: 'untrusted' },
  pending: { known: false, reason: 'pending' },
  no_data: { known: false, reason: 'no_data' },
  not_applicable: { known: false, reason: 'not_applicable' },
};

/** The value, or null when unknown, as on the wire. */
export function valueOrNull<T>(reading: Reading<T>): T | null {
  return reading.known ? reading.value : null;
}
