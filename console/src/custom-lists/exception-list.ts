import type { CustomList, Signalpost } from '@signalpost/client';
import { blankRule } from '../gate-editor/draft.ts';
import type { GateRules, Rule } from '../gate-editor/gate.ts';

/** The most lists of an environment. */
const maxLists = 50;

/** The lists of exceptions: each is created when it is first needed, and one rule on top of a gate allows all its entries. */
export const exceptionLists = {
  email: { name: 'Customers', description: 'Addresses that are never blocked', field: 'email.address' },
  domain: { name: 'Customer domains', description: 'Domains that are never blocked', field: 'domain.name' },
} as const;

export type ExceptionKind = keyof typeof exceptionLists;

/** The list of exceptions, created if it is missing; null if there is no room, or the list of that name has another kind. */
export async function exceptionList(
  { lists }: Pick<Signalpost, 'lists'>,
  kind: ExceptionKind,
): Promise<CustomList | null> {
  const { name, description } = exceptionLists[kind];
  const all = await lists.list();
  const known = all.find((list) => list.name.toLowerCase() === name.toLowerCase());
  if (known === undefined && all.length >= maxLists) return null;
  const list = known ?? (await lists.create({ name, kind, description }));
  return list.kind === kind ? list : null;
}

/** The rule that allows the entries of a list of exceptions. */
export function exceptionRule(kind: ExceptionKind, list: Pick<CustomList, 'id'>): Rule {
  const { name, field } = exceptionLists[kind];
  return {
    ...blankRule,
    name,
    action: 'allow',
    stop: true,
    conditions: [{ field, operator: 'in_list', value: list.id }],
  };
}

/** Whether a gate allows the entries of a list before any rule can stop them. */
export function allowsList({ rules }: Pick<GateRules, 'rules'>, { id }: Pick<CustomList, 'id'>): boolean {
  const live = rules.filter(({ enabled, mode }) => enabled && mode === 'live');
  const first = live.findIndex(({ action, stop }) => stop && action !== 'allow');
  const above = first === -1 ? live : live.slice(0, first);
  return above.some(
    ({ action, stop, match, conditions }) =>
      action === 'allow' &&
      stop &&
      (match === 'any' || conditions.length === 1) &&
      conditions.some(({ operator, value }) => operator === 'in_list' && value === id),
  );
}
