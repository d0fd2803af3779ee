import type { ConditionField } from '@signalpost/client';
import type { Action } from '../api/trace.ts';

export type { Action } from '../api/trace.ts';

/** The actions, from the kindest to the hardest. */
export const actions: readonly Action[] = ['allow', 'challenge', 'block'];

/** One condition, as the service takes it. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** A rule as it can be edited. */
export interface Rule {
  /** Null for one that the service does not know yet. */
  readonly id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly message: string | null;
  readonly match: 'all' | 'any';
  readonly action: Action;
  readonly stop: boolean;
  readonly enabled: boolean;
  readonly mode: 'live' | 'shadow';
  readonly conditions: readonly Condition[];
}

/** The part of a gate that is drafted, reviewed and saved as one. */
export interface GateRules<R extends Rule = Rule> {
  readonly defaultAction: Action;
  readonly rules: readonly R[];
}

/** What conditions can name. */
export type Fields = readonly ConditionField[];

/** The field of a path, if there is one. */
export const fieldAt = (fields: Fields, path: string): ConditionField | undefined =>
  fields.find((field) => field.path === path);

/** A rule without what the service adds to it. */
export function editable(rule: Rule): Rule {
  const { id, name, description, message, match, action, stop, enabled, mode, conditions } = rule;
  return { id, name, description, message, match, action, stop, enabled, mode, conditions };
}

/** A rule as it is sent: a new one has no id. */
export function sendable(rule: Rule): object {
  const { id, ...rest } = editable(rule);
  return id === null ? rest : { id, ...rest };
}
