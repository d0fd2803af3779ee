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

/** What a lookup says of a domain, as an object. */
export function domainAnswer(result: LookupResult): DomainSignals {
  return { ...ofDomain(result) } as unknown as DomainSignals;
}

/**
 * What a lookup says of an address, as an object: a copy of what is so for every address of the domain, with its own put
 * in. Copying a whole object is several times as quick as adding its properties one by one.
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
  /** What stands for unknown. */
  readonly unknown: unknown;
  readonly dependents: readonly AnswerField[];
}

/** A library has no accounts, so what is true for one caller alone is left out. */
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
 * What follows from the readings of a domain is kept with them, with room for what comes first. It is begun with a copy of all
 * its properties, unless others are to stand between them.
 */
function oncePerReadings(names: readonly string[], fields: readonly AnswerField[]): (result: LookupResult) => Answer {
  const first = emptyAnswer(names);
  const usual = emptyAnswer([...names, ...fields.map(({ name }) => name)]);
  const withOthers = fields.filter(({ dependents }) => dependents.length > 0);
  const made = memoiseByObject((_readings: Readings, result: LookupResult): Answer => {
    const { domain } = result.subject;
    // Not what is so for the address that happens to be the first.
    const ofDomain = { ...result, subject: { domain, address: null } };
    const hasOthers = withOthers.some(({ read }) => isTrue(read(ofDomain)));
    const answer = { ...(hasOthers ? first : usual) };
    answer.domain = domain.ascii;
    add(fields, answer, ofDomain);
    return answer;
  });
  return (result) => made(result.readings, result);
}

function emptyAnswer(names: readonly string[]): Answer {
  return Object.fromEntries(names.map((name) => [name, null]));
}
