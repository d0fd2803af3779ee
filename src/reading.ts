/** Why a signal has no value. Unknown is a value: it becomes `null` on the wire and never fails a request. */
export type UnknownReason = 'offline' | 'timeout' | 'failed' | 'untrusted' | 'pending' | 'no_data' | 'not_applicable';

/** One reason behind a verdict, shown by `explain`. */
export interface Evidence {
  /** Who says so: a list source (`fakefilter`), `dns`, `rdap`, `operator`, `table`. */
  readonly source: string;
  /** What was found, in one short sentence or the matching entry. */
  readonly detail: string;
  /** The list entry that matched, itself or a parent. */
  readonly entry?: string;
  /** The date of the list or fact, ISO 8601. */
  readonly date?: string;
}

/** A signal whose value is known. `why` is only computed when somebody asks. */
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

/** A reading with a value. */
export function known<T>(value: T, why?: () => Evidence[]): Known<T> {
  return why === undefined ? { known: true, value } : { known: true, value, why };
}

/** A reading without a value. */
export function unknown(reason: UnknownReason): Unknown {
  return { known: false, reason };
}

/** The value, or null when unknown: the form on the wire. */
export function valueOrNull<T>(reading: Reading<T>): T | null {
  return reading.known ? reading.value : null;
}
