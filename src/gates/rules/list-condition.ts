import type { ListKind } from '../../list-kind.ts';
import type { Condition } from './condition.ts';
import type { Field } from './fields.ts';
import { findOperator } from './operators.ts';
import type { RuleDraft } from './rule.ts';

/** A custom list that a condition compares with. */
export interface ListHandle {
  readonly listId: string;
  /** Null while it is unknown: the list does not exist, or is not in memory. */
  readonly members: {
    readonly kind: ListKind;
    /** Takes the form in which texts are compared. */
    has(text: string): boolean;
  } | null;
}

/** The lists of a gate's conditions, by id. */
export type ListHandles = ReadonlyMap<string, ListHandle>;

/** Of rules that use no list. */
export const noLists: ListHandles = new Map();

const fieldsOf: Readonly<Record<Exclude<ListKind, 'text'>, readonly string[]>> = {
  email: ['email.address', 'email.normalized'],
  domain: [
    'domain.name',
    'domain.registrable',
    'domain.did_you_mean',
    'domain.disposable_provider',
    'domain.mx_records.*.hostname',
    'ip.network.domain',
  ],
  ip: ['ip.address'],
  country: ['ip.geo.country_code'],
  asn: ['ip.network.asn'],
};

/** The kinds of lists that a field can be compared with. */
export function listKindsOf({ path, type }: Pick<Field, 'path' | 'type'>): ListKind[] {
  const kinds = Object.entries(fieldsOf) as [ListKind, readonly string[]][];
  const fitting = kinds.flatMap(([kind, paths]) => (paths.includes(path) ? [kind] : []));
  return type === 'string' || type === 'string[]' ? [...fitting, 'text'] : fitting;
}

/** The id of the list that a condition names; null where it compares with something else. */
export function listIdOf({ operator, value }: Condition): string | null {
  return findOperator(operator)?.isList === true && typeof value === 'string' ? value : null;
}

export function listIdsOf(rules: readonly Pick<RuleDraft, 'conditions'>[]): string[] {
  return [...new Set(rules.flatMap(({ conditions }) => conditions.flatMap((condition) => listIdOf(condition) ?? [])))];
}

/** The problem with a condition, given the kind of its list (undefined: there is no such list); null for none. */
export function listProblem(field: Pick<Field, 'path' | 'type'>, kind: ListKind | undefined): string | null {
  if (kind === undefined) return 'There is no such list in this environment. GET /v1/lists lists them.';
  const kinds = listKindsOf(field);
  if (kinds.includes(kind)) return null;
  return `The list is of kind ${kind}; ${field.path} takes a list of kind ${kinds.join(' or ')}.`;
}
