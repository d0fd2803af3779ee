import type {
  ConditionCatalogue,
  ConditionField,
  ConditionOperator,
  CustomList,
  NewRule,
  Rule as SavedRule,
} from '@signalpost/client';
import type { Action } from '../api/trace.ts';

export type { Action } from '../api/trace.ts';

/** The actions, from the mildest to the strictest. */
export const actions: readonly Action[] = ['allow', 'challenge', 'block'];

/** One condition of a rule. */
export type Condition = Readonly<SavedRule['conditions'][number]>;

/** A rule as it can be edited; the id is null until the service has saved it. */
export type Rule = Readonly<Omit<SavedRule, 'id' | 'conditions' | 'position' | 'created_at' | 'updated_at'>> & {
  readonly id: string | null;
  readonly conditions: readonly Condition[];
};

/** The part of a gate that is drafted, reviewed and saved as one. */
export interface GateRules<R extends Rule = Rule> {
  readonly defaultAction: Action;
  readonly rules: readonly R[];
}

/** The fields, operators and custom lists that conditions can name. */
export type Catalogue = ConditionCatalogue & { readonly lists?: readonly CustomList[] };

/** The field with a path, if it exists. */
export const fieldAt = (fields: Catalogue['fields'], path: string): ConditionField | undefined =>
  fields.find((field) => field.path === path);

/** The operator with a name, if it exists. */
export const operatorNamed = ({ operators }: Catalogue, wanted: string): ConditionOperator | undefined =>
  operators.find(({ name }) => name === wanted);

/** A rule without the properties that the service adds. */
export function editable(rule: Rule): Rule {
  const { id, name, description, message, match, action, stop, enabled, mode, conditions } = rule;
  return { id, name, description, message, match, action, stop, enabled, mode, conditions };
}

/** A rule as it is sent: a new one has no id. */
export function sendable(rule: Rule): NewRule & { id?: string } {
  const { id, ...rest } = editable(rule);
  return id === null ? rest : { id, ...rest };
}
