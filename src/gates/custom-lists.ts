import { AppError } from '../errors.ts';
import type { Owner } from '../http/endpoint.ts';
import { createProblems } from '../input/problems.ts';
import type { ListKind } from '../list-kind.ts';
import type { CheckRules } from './gates-store.ts';
import { findField } from './rules/fields.ts';
import {
  type ListHandle,
  type ListHandles,
  listIdOf,
  listIdsOf,
  listProblem,
  noLists,
} from './rules/list-condition.ts';
import type { RuleDraft } from './rules/rule.ts';

/** The custom lists that rules compare with. */
export interface CustomListSource {
  /** Handles of an owner's lists; `load` fills them. */
  handles(owner: Owner, listIds: readonly string[]): readonly ListHandle[];
  /** Null when all are in memory, otherwise a promise that rejects if storage is unavailable. */
  load(handles: readonly ListHandle[]): Promise<void> | null;
}

type Conditions = Pick<RuleDraft, 'conditions'>;

/** The lists that rules use, loaded. */
export async function loadLists(
  source: CustomListSource,
  owner: Owner,
  rules: readonly Conditions[],
): Promise<ListHandles> {
  const listIds = listIdsOf(rules);
  if (listIds.length === 0) return noLists;
  const handles = source.handles(owner, listIds);
  await source.load(handles);
  return new Map(handles.map((handle) => [handle.listId, handle]));
}

/** Problems of conditions by their path: lists that do not exist, or whose kind does not fit the field. */
export function listProblems(
  rules: readonly (readonly [path: string, rule: Conditions])[],
  kindOf: (listId: string) => ListKind | undefined,
): Record<string, readonly string[]> {
  const problems = createProblems();
  for (const [path, { conditions }] of rules) {
    for (const [index, condition] of conditions.entries()) {
      const listId = listIdOf(condition);
      const field = findField(condition.field);
      if (listId === null || field === undefined) continue;
      const problem = listProblem(field, kindOf(listId));
      if (problem !== null) problems.add(`${path}conditions.${index}.value`, problem);
    }
  }
  return { ...problems.toFieldErrors() };
}

/** Throws `validation_failed` at each condition whose list does not exist or does not fit its field. */
export function rejectUnfitLists(...args: Parameters<typeof listProblems>): void {
  const errors = listProblems(...args);
  if (Object.keys(errors).length > 0) throw new AppError('validation_failed', { errors });
}

/** Rejects rules whose lists do not exist or do not fit; `holdKinds` keeps the lists from being removed meanwhile. */
export function createListCheck(
  holdKinds: (
    trx: Parameters<CheckRules>[0],
    owner: Owner,
    listIds: readonly string[],
  ) => Promise<ReadonlyMap<string, ListKind>>,
): CheckRules {
  return async (trx, owner, rules) => {
    const listIds = listIdsOf(rules.map(([, rule]) => rule));
    if (listIds.length === 0) return;
    const kinds = await holdKinds(trx, owner, listIds);
    rejectUnfitLists(rules, (listId) => kinds.get(listId));
  };
}
