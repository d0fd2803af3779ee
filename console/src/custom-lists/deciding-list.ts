import type { CustomList, Signalpost } from '@signalpost/client';
import { blankRule } from '../gate-editor/draft.ts';
import type { GateRules, Rule } from '../gate-editor/gate.ts';

/** The most lists of an environment. */
const maxLists = 50;

/** Lists that decide about people: each is created when it is first needed, and one final rule on top of a gate decides about all its entries. */
export const decidingLists = {
  customers: {
    name: 'Customers',
    kind: 'email',
    description: 'Addresses that are never blocked',
    field: 'email.address',
    action: 'allow',
  },
  customerDomains: {
    name: 'Customer domains',
    kind: 'domain',
    description: 'Domains that are never blocked',
    field: 'domain.name',
    action: 'allow',
  },
  blockedAddresses: {
    name: 'Blocked addresses',
    kind: 'email',
    description: 'Addresses that are always blocked',
    field: 'email.address',
    action: 'block',
  },
} as const;

export type DecidingListName = keyof typeof decidingLists;

/** A deciding list, created if it is missing; null if there is no room, or the list of that name has another kind. */
export async function decidingList(
  { lists }: Pick<Signalpost, 'lists'>,
  which: DecidingListName,
): Promise<CustomList | null> {
  const { name, kind, description } = decidingLists[which];
  const all = await lists.list();
  const known = all.find((list) => list.name.toLowerCase() === name.toLowerCase());
  if (known === undefined && all.length >= maxLists) return null;
  const list = known ?? (await lists.create({ name, kind, description }));
  return list.kind === kind ? list : null;
}

/** The rule that decides about the entries of a deciding list. */
export function decidingRule(which: DecidingListName, list: Pick<CustomList, 'id'>): Rule {
  const { name, field, action } = decidingLists[which];
  return { ...blankRule, name, action, stop: true, conditions: [{ field, operator: 'in_list', value: list.id }] };
}

/** Whether a gate decides about the entries of a list with an action before any rule can decide otherwise. */
export function decidesFirst(
  { rules }: Pick<GateRules, 'rules'>,
  { id }: Pick<CustomList, 'id'>,
  action: Rule['action'],
): boolean {
  const live = rules.filter(({ enabled, mode }) => enabled && mode === 'live');
  const first = live.findIndex((rule) => rule.stop && rule.action !== action);
  const above = first === -1 ? live : live.slice(0, first);
  return above.some(
    (rule) =>
      rule.action === action &&
      rule.stop &&
      (rule.match === 'any' || rule.conditions.length === 1) &&
      rule.conditions.some(({ operator, value }) => operator === 'in_list' && value === id),
  );
}
