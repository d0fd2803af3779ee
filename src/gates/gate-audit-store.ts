import type { Transaction } from 'kysely';
import { recordAct } from '../db/audit.ts';
import type { Schema } from '../db/schema.ts';
import type { Author } from '../http/endpoint.ts';
import type { Gate } from './gate.ts';
import type { Rule } from './rules/rule.ts';

/** Notes what became of a gate: made (`before` is null), changed, or removed (`after` is null). */
export async function recordGateAct(
  trx: Transaction<Schema>,
  { by, accountId, environment }: Author,
  before: Gate | null,
  after: Gate | null,
  nowMs: number,
): Promise<void> {
  const action = before === null ? 'gate.created' : after === null ? 'gate.removed' : 'gate.changed';
  const detail = before !== null && after !== null ? changes(before, after) : { name: (after ?? before)?.name };
  // Sent as it was: nothing to tell.
  if (action === 'gate.changed' && Object.keys(detail).length === 0) return;
  const subject = (after ?? before)?.id ?? '';
  await recordAct(trx, by, { action, subject, accountId, environment, detail }, nowMs);
}

/** Which fields differ, and which rules came, went and changed; an edit leaves the rules it does not touch as the same objects. */
function changes(before: Gate, after: Gate): Readonly<Record<string, unknown>> {
  const [known, kept] = [byId(before), byId(after)];
  const detail = {
    fields: differing(before, after, ['rules', 'updatedAtMs']),
    rules_added: after.rules.filter(({ id }) => !known.has(id)).map(named),
    rules_removed: before.rules.filter(({ id }) => !kept.has(id)).map(named),
    rules_changed: after.rules.flatMap((rule) => {
      const old = known.get(rule.id);
      if (old === undefined || old === rule) return [];
      return [{ ...named(rule), fields: differing(old, rule, ['updatedAtMs']) }];
    }),
    rules_ordered: isReordered(before, after) ? [...kept.keys()] : [],
  };
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => value.length > 0));
}

const byId = ({ rules }: Gate): Map<string, Rule> => new Map(rules.map((rule) => [rule.id, rule]));

const named = ({ id, name }: Rule): object => ({ id, name });

function differing<T extends object>(one: T, other: T, except: readonly (keyof T & string)[]): string[] {
  const keys = Object.keys(other) as (keyof T & string)[];
  return keys.filter((key) => !except.includes(key) && JSON.stringify(one[key]) !== JSON.stringify(other[key]));
}

/** Rules that are in both come in another order. */
function isReordered(before: Gate, after: Gate): boolean {
  const [known, kept] = [byId(before), byId(after)];
  const order = (gate: Gate) => gate.rules.map(({ id }) => id).filter((id) => known.has(id) && kept.has(id));
  return order(before).join() !== order(after).join();
}
