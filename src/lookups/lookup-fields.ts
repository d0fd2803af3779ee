import type { Reading } from '../reading.ts';
import type { Readings } from '../signals/engine.ts';
import { type Registered, registered } from '../signals/registry.ts';
import type { LookupPlace } from '../signals/signal.ts';
import type { SignalValue } from '../signals/value-schema.ts';
import type { LookupResult } from './lookup.ts';

/** A field in the body of a lookup, and where its value is. All have one shape, whatever their signals look like: every answer reads them. */
export interface LookupField {
  readonly signal: Registered['signal'];
  readonly place: LookupPlace;
  /** Its name as JSON text, with the comma before and the colon after it. */
  readonly nameText: string;
  readonly pro: boolean;
  readonly needsMx: boolean;
  /** The value for unknown. */
  readonly unknownText: string;
  readonly read: (result: LookupResult) => Reading<SignalValue>;
  /** The fields that are shown only when this one is true. */
  readonly dependents: readonly LookupField[];
}

const fields = registered().flatMap(({ key, signal }): LookupField[] => {
  const { lookup: place } = signal;
  if (place === undefined || place.explainOnly) return [];
  const field: LookupField = {
    signal,
    place,
    nameText: `,${JSON.stringify(place.name)}:`,
    pro: signal.pro ?? false,
    needsMx: place.needsMx ?? false,
    unknownText: unknownText(signal.schema.type, place),
    read: readerOf(key, signal),
    dependents: [],
  };
  return [field];
});

const withDependents = (field: LookupField): LookupField => ({
  ...field,
  dependents: fields.filter(({ place }) => place.onlyWith === field.place.name).map(withDependents),
});

const roots = fields.filter(({ place }) => place.onlyWith === undefined).map(withDependents);

export const addressFields: readonly LookupField[] = roots.filter(({ signal }) => signal.subject === 'address');

/** The fields of the domain, as the lookup of a domain shows them. */
export const domainFields: readonly LookupField[] = roots.filter(({ signal }) => signal.subject === 'domain');

/** The fields of the domain that are the same for each of its addresses. */
export const sharedFields: readonly LookupField[] = domainFields.filter((field) => fromAddress(field) === null);

/** The fields of the domain that an address changes, as the lookup of an address shows them. */
export const changedFields: readonly LookupField[] = domainFields.flatMap((field) => fromAddress(field) ?? []);

/** An unknown list is empty, and an unknown value that is always a boolean by contract is false. */
function unknownText(type: string, place: LookupPlace): string {
  if (type === 'array') return '[]';
  return place.always && type === 'boolean' ? 'false' : 'null';
}

function readerOf(key: Registered['key'], signal: Registered['signal']): LookupField['read'] {
  if ('readForCaller' in signal) return (result) => signal.readForCaller(result);
  if (signal.subject === 'address') return ({ subject, sources }) => signal.read(subject, sources);
  return ({ readings }) => readings[key as keyof Readings];
}

function fromAddress(field: LookupField): LookupField | null {
  const { signal } = field;
  const forAddress = 'forAddress' in signal ? signal.forAddress : undefined;
  if (forAddress === undefined) return null;
  return { ...field, read: (result) => forAddress(field.read(result), result.subject, result.sources) };
}
