import type { LookupResult } from '../lookups/lookup.ts';
import {
  addressFields,
  changedFields,
  domainFields,
  type LookupField,
  sharedFields,
} from '../lookups/lookup-fields.ts';
import { memoiseByObject } from '../platform/memoise-by-object.ts';
import type { Reading } from '../reading.ts';
import type { Readings } from '../signals/engine.ts';
import type { DomainSignals, EmailSignals } from './answer.ts';

/** The signals of a domain lookup as an object. */
export function domainAnswer(result: LookupResult): DomainSignals {
  return { ...ofDomain(result) } as unknown as DomainSignals;
}

/**
 * The signals of an address lookup as an object: a copy of the values that all addresses of the domain share, with its own
 * added. Copying a whole object is several times faster than adding its properties one by one.
 */
export function emailAnswer(result: LookupResult): EmailSignals {
  const answer: Answer = { ...ofEveryAddress(result) };
  answer.email = result.subject.address?.submitted;
  add(ownFields, answer, result);
  return answer as unknown as EmailSignals;
}

type Answer = Record<string, unknown>;

interface AnswerField {
  readonly name: string;
  readonly read: LookupField['read'];
  /** The value that means unknown. */
  readonly unknown: unknown;
  readonly dependents: readonly AnswerField[];
}

/** A library has no accounts, so fields that depend on the caller are omitted. */
const compiled = (fields: readonly LookupField[]): AnswerField[] =>
  fields
    .filter(({ signal }) => !('readForCaller' in signal))
    .map(({ place, read, unknownText, dependents }) => ({
      name: place.name,
      read,
      unknown: JSON.parse(unknownText),
      dependents: compiled(dependents),
    }));

const ownFields = [...compiled(addressFields), ...compiled(changedFields)];
const ofDomain = oncePerReadings(['domain'], compiled(domainFields));
/** In the order of the body of `GET /email`. */
const ofEveryAddress = oncePerReadings(
  ['email', ...addressFields.map(({ place }) => place.name), 'domain'],
  compiled([...sharedFields, ...changedFields]),
);

function add(fields: readonly AnswerField[], answer: Answer, result: LookupResult): void {
  for (const { name, read, unknown, dependents } of fields) {
    const reading = read(result);
    answer[name] = reading.known ? reading.value : unknown;
    if (dependents.length > 0 && isTrue(reading)) add(dependents, answer, result);
  }
}

const isTrue = (reading: Reading<unknown>): boolean => reading.known && reading.value === true;

/**
 * Memoises the answer with the readings of a domain, after the properties in `names`. It starts as a copy with all properties,
 * unless dependent ones have to come between them.
 */
function oncePerReadings(names: readonly string[], fields: readonly AnswerField[]): (result: LookupResult) => Answer {
  const first = emptyAnswer(names);
  const usual = emptyAnswer([...names, ...fields.map(({ name }) => name)]);
  const withDependents = fields.filter(({ dependents }) => dependents.length > 0);
  const made = memoiseByObject((_readings: Readings, result: LookupResult): Answer => {
    const { domain } = result.subject;
    // Without the first address, whose own values must not be memoised.
    const ofDomain = { ...result, subject: { domain, address: null } };
    const hasDependents = withDependents.some(({ read }) => isTrue(read(ofDomain)));
    const answer = { ...(hasDependents ? first : usual) };
    answer.domain = domain.ascii;
    add(fields, answer, ofDomain);
    return answer;
  });
  return (result) => made(result.readings, result);
}

function emptyAnswer(names: readonly string[]): Answer {
  return Object.fromEntries(names.map((name) => [name, null]));
}
