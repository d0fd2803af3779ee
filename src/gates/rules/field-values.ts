import type { Field } from './fields.ts';
import type { DecisionSignals, SubjectName } from './signals.ts';
import { textForms } from './text-form.ts';

/** The values of each subject, and those made from them; null for a subject that was not sent. */
export type ValueLists = readonly (readonly unknown[] | null)[];

/** The position of a value: the list, and the index in it. */
export interface ValuePlace {
  readonly list: number;
  readonly place: number;
}

/**
 * The values that a gate's conditions look at. Most are looked at where they are; texts in the form in which they are compared are
 * made once for an evaluation. With conditions that are shared, 20 rules of 3 conditions take 1.2 µs instead of 1.7.
 */
export interface FieldValues {
  /** Reserves the position of a field's value; texts are in the form in which they are compared unless they are kept. */
  placeOf(field: Field, keepsText: boolean): ValuePlace;
  /** Takes the signals of an evaluation; the next one overwrites the lists. */
  take(signals: DecisionSignals): ValueLists;
}

const listOf: Readonly<Record<SubjectName | 'made', number>> = { email: 0, domain: 1, ip: 2, traffic: 3, made: 4 };

/** A value that is made from one of a subject, again only when that is another. */
interface Made {
  readonly source: ValuePlace;
  readonly make: Make;
  last: unknown;
}

type Make = (source: never) => unknown;

/** The values of one gate. */
export function createFieldValues(): FieldValues {
  const places = new Map<string, ValuePlace>();
  const all: Made[] = [];
  const made: unknown[] = [];
  const lists: (readonly unknown[] | null)[] = [null, null, null, null, made];
  return {
    placeOf(field, keepsText) {
      const source = { list: listOf[field.subject], place: field.place };
      const make = makerOf(field, keepsText);
      if (make === null) return source;
      const name = `${keepsText ? '=' : ''}${field.path}`;
      const known = places.get(name);
      if (known !== undefined) return known;
      all.push({ source, make, last: null });
      const place = { list: listOf.made, place: made.push(null) - 1 };
      places.set(name, place);
      return place;
    },
    take({ email, domain, ip, traffic = null }) {
      lists[0] = email;
      lists[1] = domain;
      lists[2] = ip;
      lists[3] = traffic;
      for (let place = 0; place < all.length; place += 1) {
        const each = all[place] as Made;
        const source = valueAt(lists, each.source);
        if (source === each.last) continue;
        each.last = source;
        made[place] = source === null ? null : each.make(source as never);
      }
      return lists;
    },
  };
}

/** The value in a place; null is unknown. */
export function valueAt(lists: ValueLists, { list, place }: ValuePlace): unknown {
  const values = lists[list] as ValueLists[number];
  return values === null ? null : values[place];
}

/** Returns the conversion from a field's value to the form that conditions compare; null where they compare the value itself. */
function makerOf(field: Field, keepsText: boolean): Make | null {
  if (field.type === 'string') return keepsText ? null : textForms[field.kind].actual;
  if (field.type !== 'string[]') return null;
  const { kind, part } = field;
  const form = keepsText ? String : textForms[kind].actual;
  return (items: readonly Readonly<Record<string, string>>[]) => items.map((item) => form(item[part] ?? ''));
}
