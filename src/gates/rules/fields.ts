import type { ListKind } from '../../list-kind.ts';
import { type Described, type SignalGroup, signalGroups } from '../../signals/signal.ts';
import { listKindsOf } from './list-condition.ts';
import type { FieldType, Operator } from './operators.ts';
import { listOperators, operatorNames, operatorsByType } from './operators.ts';
import type { RuleDraft } from './rule.ts';
import { type GateSignal, gateSignals, type SubjectName } from './signals.ts';
import type { TextKind } from './text-form.ts';

/** The description of a field for rule authors. */
export interface FieldTexts {
  /** Its name on the wire. */
  readonly path: string;
  readonly description: string;
  readonly label: string;
  readonly group: SignalGroup;
  /** All possible values, if there are few. */
  readonly values?: readonly string[];
  /** The unit of its numbers, and their bounds. */
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The position of a field's value among the signals. */
interface FieldPlace {
  readonly subject: SubjectName;
  /** Among the values of its subject. */
  readonly place: number;
}

/** A field a condition can name: its type, and where its value is. */
export type Field = FieldTexts &
  FieldPlace &
  (
    | { readonly type: 'boolean' }
    | { readonly type: 'integer' }
    | { readonly type: 'string'; readonly kind: TextKind }
    /** The value is a list of objects, the field a part of each. */
    | { readonly type: 'string[]'; readonly kind: TextKind; readonly part: string }
  );

export type FieldOf<Type extends FieldType> = Extract<Field, { type: Type }>;

/** The fields of the signal that is in this place among those of its subject. The schema defines the types. */
function fieldsOf(subject: SubjectName, signal: GateSignal<Described>, place: number): Field[] {
  const { gates, schema, about, label, group, names } = signal;
  const kind: TextKind = names ?? 'plain';
  const path = `${subject}.${gates.name}`;
  if (schema.type !== 'array') {
    const texts = { path, description: about, label, group, ...limitsOf(signal) };
    const field = { type: schema.type, ...texts, subject, place };
    return [(schema.type === 'string' ? { ...field, kind } : field) as FieldOf<'boolean' | 'string' | 'integer'>];
  }
  return Object.entries(gates.items ?? {}).map(([part, item]) => ({
    type: 'string[]',
    path: `${path}.*.${part}`,
    description: item.about,
    label: item.label,
    group,
    ...(item.values === undefined ? {} : { values: item.values }),
    subject,
    place,
    kind,
    part,
  }));
}

function limitsOf({ schema, unit }: Described): Pick<FieldTexts, 'values' | 'unit' | 'minimum' | 'maximum'> {
  const { minimum, maximum } = schema.type === 'integer' ? schema : {};
  return {
    ...(schema.type === 'string' && schema.enum !== undefined ? { values: schema.enum } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

const subjects = ['email', 'domain', 'ip', 'traffic'] as const;

/** Every field a condition can name, in the order the documentation shows them. */
export const fields: readonly Field[] = subjects.flatMap((subject) =>
  gateSignals[subject].flatMap((signal: GateSignal<Described>, place) =>
    signal.gates.isHidden ? [] : fieldsOf(subject, signal, place),
  ),
);

/** The headings under which fields are shown, in their order. */
export const fieldGroups: readonly SignalGroup[] = signalGroups;

const fieldsByPath: ReadonlyMap<string, Field> = new Map(fields.map((field) => [field.path, field]));

/** The field with that path, if there is one. */
export function findField(path: string): Field | undefined {
  return fieldsByPath.get(path);
}

/** A field as `GET /v1/fields` and the rule editor show it. */
export interface FieldDescription extends FieldTexts {
  readonly type: FieldType;
  readonly operators: readonly Operator[];
  /** The kinds of custom lists that `in_list` and `not_in_list` take. */
  readonly listKinds?: readonly ListKind[];
}

/** The operators a condition on a field may use. */
export function operatorsOf(field: Pick<Field, 'path' | 'type'>): readonly Operator[] {
  const ofType = operatorsByType[field.type];
  if (listKindsOf(field).length === 0) return ofType;
  return operatorNames.filter((name) => ofType.includes(name) || listOperators.includes(name));
}

/** The catalogue of condition fields. */
export function fieldCatalogue(): FieldDescription[] {
  return fields.map(({ path, type, description, label, group, values, unit, minimum, maximum }) => ({
    path,
    type,
    operators: operatorsOf({ path, type }),
    ...(listKindsOf({ path, type }).length === 0 ? {} : { listKinds: listKindsOf({ path, type }) }),
    description,
    label,
    group,
    ...(values === undefined ? {} : { values }),
    ...(unit === undefined ? {} : { unit }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  }));
}

/** Whether an enabled rule, live or shadow, has a condition on traffic. */
export function usesTraffic(rules: readonly Pick<RuleDraft, 'enabled' | 'conditions'>[]): boolean {
  return rules.some(
    ({ enabled, conditions }) => enabled && conditions.some(({ field }) => findField(field)?.subject === 'traffic'),
  );
}
