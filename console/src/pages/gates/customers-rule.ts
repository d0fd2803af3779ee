import type { Signalpost } from '@signalpost/client';
import { blankRule } from '../../gate-editor/draft.ts';
import type { Rule } from '../../gate-editor/gate.ts';

const name = 'Customers';
/** The most lists of an environment. */
const maxLists = 50;

/** The rule that allows addresses on the list “Customers”, which is created if it is missing; none if there is no room or the list has another kind. */
export async function customersRule({ lists }: Pick<Signalpost, 'lists'>): Promise<readonly Rule[]> {
  const all = await lists.list();
  const known = all.find((list) => list.name.toLowerCase() === name.toLowerCase());
  if (known === undefined && all.length >= maxLists) return [];
  const list = known ?? (await lists.create({ name, kind: 'email', description: 'Addresses that are never blocked' }));
  if (list.kind !== 'email') return [];
  const conditions = [{ field: 'email.address', operator: 'in_list', value: list.id }];
  return [{ ...blankRule, name, action: 'allow', stop: true, conditions }];
}
