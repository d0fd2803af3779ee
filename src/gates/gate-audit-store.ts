import type { Transaction } from 'kysely';
import { recordOwnAct } from '../db/audit.ts';
import type { Schema } from '../db/schema.ts';
import type { Author } from '../http/endpoint.ts';
import type { Gate } from './gate.ts';
import type { Rule } from './rules/rule.ts';

/** A change to a gate. */
interface GateAct {
  readonly action: 'gate.created' | 'gate.changed' | 'gate.removed';
  readonly gate: Pick<Gate, 'id' | 'name'>;
  /** Otherwise the gate's name. */
  readonly detail?: object;
}

/** Records a change to a gate. */
export async function recordGateAct(
  trx: Transaction<Schema>,
  author: Author,
  { action, gate: { id, name }, detail = { name } }: GateAct,
  nowMs: number,
): Promise<void> {
  await recordOwnAct(trx, author, { action, subject: id, detail: { ...detail } }, nowMs);
}

/** The differences between two states of a gate; fields without a difference are absent. */
export interface GateChanges {
  readonly fields?: readonly string[];
  readonly rules_added?: readonly NamedRule[];
  readonly rules_removed?: readonly NamedRule[];
  readonly rules_changed?: readonly (NamedRule & { readonly fields: readonly string[] })[];
  /** The new order of all rules, if the rules of both states are in a different order. */
  readonly rules_ordered?: readonly string[];
}

type NamedRule = Pick<Rule, 'id' | 'name'>;

/** The fields that differ, and the rules that were added, removed or changed; an edit keeps rules it does not touch as the same objects. */
export function gateChanges(before: Gate, after: Gate): GateChanges {
  const [known, kept] = [byId(before), byId(after)];
  const detail = {
    fields: differing(before, after, ['rules', 'revision', 'updatedAtMs']),
    rules_added: after.rules.filter(({ id }) => !known.has(id)).map(named),
    rules_removed: before.rules.filter(({ id }) => !kept.has(id)).map(named),
    rules_changed: after.rules.flatMap((rule) => {
      const old = known.get(rule.id);
      if (old === undefined || old === rule) return [];
      const fields = differing(old, rule, ['updatedAtMs']);
      return fields.length === 0 ? [] : [{ ...named(rule), fields }];
    }),
    rules_ordered: isReordered(before, after) ? [...kept.keys()] : [],
  };
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => value.length > 0));
}

const byId = ({ rules }: Gate): Map<string, Rule> => new Map(rules.map((rule) => [rule.id, rule]));

const named = ({ id, name }: Rule): NamedRule => ({ id, name });

function differing<T extends object>(one: T, other: T, except: readonly (keyof T & string)[]): string[] {
  const keys = Object.keys(other) as (keyof T & string)[];
  return keys.filter((key) => !except.includes(key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]));
}

/** The rules of both states are in a different order. */
function isReordered(before: Gate, after: Gate): boolean {
  const [known, kept] = [byId(before), byId(after)];
  const order = (gate: Gate) => gate.rules.map(({ id }) => id).filter((id) => known.has(id) && kept.has(id));
  return order(before).join() !== order(after).join();
}
