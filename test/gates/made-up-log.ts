import { type Field, fields } from '../../src/gates/rules/fields.ts';
import type { DecisionSignals } from '../../src/gates/rules/signals.ts';
import { createExampleTable, type ExampleTable } from '../../src/gates/suggestions/example-table.ts';
import { type FieldValues, signalsFromFields } from './signals-from-fields.ts';

/** The log to make up. */
export interface MadeUpLog {
  readonly entries: number;
  readonly bad: number;
  /** `planted`: two conditions cause nine in ten bad entries, and hold for some good ones. `random`: nothing does. */
  readonly outcomes: 'planted' | 'random';
  /** The part of the good entries that have an outcome. */
  readonly labelled?: number;
  readonly random: () => number;
}

const fieldCount = 40;
/** Bad entries without the cause, and good entries with it, as parts of the bad entries. */
const noise = 0.1;

type Value = boolean | number | string | readonly string[];

/** A field with values of its own distribution, and a condition that holds for a few per cent of them. */
interface MadeUpField {
  readonly field: Field;
  draw(): Value;
  cause(): Value;
  isCause(value: Value): boolean;
}

/** A table of labelled decisions over forty fields, and the fields of the cause. */
export function madeUpLog({ entries, bad, outcomes, labelled = 1, random }: MadeUpLog): {
  readonly table: ExampleTable;
  readonly causes: readonly string[];
  readonly isHeldOut: (row: number) => boolean;
} {
  const usable = shuffled(
    fields.filter(({ path }) => !['email.address', 'email.normalized', 'domain.name', 'ip.address'].includes(path)),
    random,
  );
  const made = usable.slice(0, fieldCount).map((field) => madeUpField(field, random));
  const [one, two] = made;
  if (one === undefined || two === undefined) throw new Error('there are no fields');
  const table = createExampleTable();
  const heldOut: boolean[] = [];
  for (let entry = 0; entry < entries; entry += 1) {
    const isBad = entry < bad;
    const isCaused = outcomes === 'planted' && (isBad ? entry >= bad * noise : entry < bad * (1 + noise));
    table.add(signalsOf(made, isCaused, outcomes === 'planted' && !isCaused), labelOf(isBad, labelled, random));
    heldOut.push(random() < 0.5);
  }
  return { table, causes: [one.field.path, two.field.path].sort(), isHeldOut: (row) => heldOut[row] === true };
}

const labelOf = (isBad: boolean, labelled: number, random: () => number): 'bad' | 'good' | undefined => {
  if (isBad) return 'bad';
  return random() < labelled ? 'good' : undefined;
};

function signalsOf(made: readonly MadeUpField[], isCaused: boolean, isFree: boolean): DecisionSignals {
  for (;;) {
    const values = new Map(made.map((each) => [each.field.path, each.draw()]));
    const [one, two] = made;
    if (one === undefined || two === undefined) throw new Error('there are no fields');
    if (isCaused) for (const each of [one, two]) values.set(each.field.path, each.cause());
    const both = [one, two].every((each) => each.isCause(values.get(each.field.path) ?? false));
    if (!isFree || !both) return signalsFromFields(Object.fromEntries(values) as FieldValues);
  }
}

function madeUpField(field: Field, random: () => number): MadeUpField {
  const share = 0.02 + 0.2 * random();
  if (field.type === 'boolean') {
    return { field, draw: () => random() < share, cause: () => true, isCause: (value) => value === true };
  }
  if (field.path === 'ip.network.asn') {
    const draw = (): number => (random() < share ? 64_500 : 64_501 + Math.floor(8 * random()));
    return { field, draw, cause: () => 64_500, isCause: (value) => value === 64_500 };
  }
  if (field.type === 'integer') {
    const most = Math.round(20 + 2_000 * random());
    const limit = Math.max(1, Math.round(share * most));
    const isLow = random() < 0.5;
    const isCause = (value: Value): boolean => (isLow ? Number(value) <= limit : Number(value) >= most - limit);
    const cause = (): number => {
      const value = Math.floor(random() * (limit + 1));
      return isLow ? value : most - value;
    };
    return { field, draw: () => Math.floor(random() * (most + 1)), cause, isCause };
  }
  const text = (): string => (random() < share ? 'rare' : `usual${Math.floor(8 * random() ** 2)}`);
  if (field.type === 'string') return { field, draw: text, cause: () => 'rare', isCause: (value) => value === 'rare' };
  const includes = (value: Value): boolean => Array.isArray(value) && value.includes('rare');
  return { field, draw: () => [text()], cause: () => ['rare'], isCause: includes };
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((each) => ({ each, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ each }) => each);
}
