import type { CustomList, NewListEntry, Signalpost } from '@signalpost/client';
import type { Rule } from '../../gate-editor/gate.ts';

type Lists = Pick<Signalpost, 'lists'>;

/** The most entries of one request. */
const batchSize = 1_000;

/** Rules for another environment: each list they name is the one of its name and kind there, which is created with its entries if it is missing. */
export async function withListsOf(target: Lists, source: Lists, rules: readonly Rule[]): Promise<Rule[]> {
  const conditions = rules.flatMap((rule) => rule.conditions).filter(({ operator }) => operator.endsWith('in_list'));
  if (conditions.length === 0) return [...rules];
  const named = new Set(conditions.map(({ value }) => value));
  const [here, there] = await Promise.all([source.lists.list(), target.lists.list()]);
  const ids = new Map<unknown, string>();
  for (const list of here.filter(({ id }) => named.has(id))) {
    const known = there.find(({ name, kind }) => kind === list.kind && name.toLowerCase() === list.name.toLowerCase());
    ids.set(list.id, known?.id ?? (await copyOf(list, source, target)));
  }
  return rules.map((rule) => ({
    ...rule,
    conditions: rule.conditions.map((one) => (ids.has(one.value) ? { ...one, value: ids.get(one.value) } : one)),
  }));
}

async function copyOf({ id, name, kind, description }: CustomList, source: Lists, target: Lists): Promise<string> {
  const entries: NewListEntry[] = [];
  for await (const { value, note, expires_at, expired } of source.lists.entries.list(id, { limit: 100 }))
    if (expired !== true) entries.unshift({ value, note, expires_at });
  const made = await target.lists.create({ name, kind, description });
  for (let start = 0; start < entries.length; start += batchSize)
    await target.lists.entries.add(made.id, entries.slice(start, start + batchSize));
  return made.id;
}
