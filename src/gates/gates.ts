import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { ulid, ulidIn } from '../ulid.ts';
import type { Gate, GateSummary } from './gate.ts';
import type { GateCache } from './gate-cache.ts';
import {
  createRules,
  indexOf,
  withChange,
  withChangedRule,
  withNewRule,
  withOrder,
  withoutRule,
} from './gate-edits.ts';
import type { GateChange, NewGate } from './gate-input.ts';
import type { EditedGate, GateEdit, GatesStore, RulePath } from './gates-store.ts';
import { presetRules } from './preset.ts';
import type { Rule } from './rules/rule.ts';
import type { NewRule, RuleChange } from './rules/rule-input.ts';

/** The most gates that clients create in an environment. */
export const maxGates = 100;

/** A limit that lists all of them, and the gate of the first start. */
export const allGates = maxGates + 1;

/** A rule and its place in its gate. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly position: number;
}

/** A customer's operations on gates. A missing gate or rule throws the same `AppError` as one of another owner. */
export interface Gates {
  list(owner: Owner, limit: number, beforeId: string | null): Promise<GateSummary[]>;
  create(author: Author, gate: NewGate): Promise<Gate>;
  read(owner: Owner, gateId: string): Promise<Gate>;
  readRule(owner: Owner, gateId: string, ruleId: string): Promise<PlacedRule>;
  change(author: Author, gateId: string, change: GateChange): Promise<Gate>;
  remove(author: Author, gateId: string): Promise<void>;
  addRule(author: Author, gateId: string, rule: NewRule): Promise<PlacedRule>;
  changeRule(author: Author, gateId: string, ruleId: string, change: RuleChange): Promise<PlacedRule>;
  removeRule(author: Author, gateId: string, ruleId: string): Promise<void>;
  orderRules(author: Author, gateId: string, ruleIds: readonly string[]): Promise<Gate>;
}

/** Gates in the database; a change takes effect in this process immediately. */
export function createGates(store: GatesStore, cache: Pick<GateCache, 'changedHere'>, now: () => number): Gates {
  const read = async (owner: Owner, gateId: string): Promise<Gate> => {
    const id = gateIdIn(gateId);
    const gate = id === null ? null : await store.find(owner, id);
    if (gate === null) throw new AppError('gate_not_found');
    return gate;
  };
  const edit = async (author: Author, gateId: string, wanted: GateEdit): Promise<EditedGate> => {
    const id = gateIdIn(gateId);
    const edited = id === null ? null : await store.edit(author, id, wanted, now());
    if (edited === null) throw new AppError('gate_not_found');
    cache.changedHere(author);
    return edited;
  };
  return {
    list: (owner, limit, beforeId) => store.list(owner, limit, beforeId),
    async create(author, given) {
      const gate = gateOf(given, now());
      if (!(await store.insert(author, gate, maxGates))) throw new AppError('gate_limit_reached');
      return gate;
    },
    read,
    readRule: async (owner, gateId, ruleId) => placed(await read(owner, gateId), ruleId),
    change: async (author, gateId, change) =>
      (await edit(author, gateId, { change: (gate, nowMs) => withChange(gate, change, nowMs) })).after,
    async remove(author, gateId) {
      const id = gateIdIn(gateId);
      if (id === null || !(await store.remove(author, id, now()))) throw new AppError('gate_not_found');
      cache.changedHere(author);
    },
    async addRule(author, gateId, rule) {
      const change: GateEdit['change'] = (gate, nowMs) => withNewRule(gate, rule, nowMs);
      const { before, after } = await edit(author, gateId, { change, pathOf: ofTheRule });
      const known = new Set(before.rules.map(({ id }) => id));
      return placed(after, after.rules.find(({ id }) => !known.has(id))?.id ?? '');
    },
    async changeRule(author, gateId, ruleId, changed) {
      const change: GateEdit['change'] = (gate, nowMs) => withChangedRule(gate, ruleId, changed, nowMs);
      return placed((await edit(author, gateId, { change, pathOf: ofTheRule })).after, ruleId);
    },
    async removeRule(author, gateId, ruleId) {
      await edit(author, gateId, { change: (gate, nowMs) => withoutRule(gate, ruleId, nowMs) });
    },
    orderRules: async (author, gateId, ruleIds) =>
      (await edit(author, gateId, { change: (gate, nowMs) => withOrder(gate, ruleIds, nowMs) })).after,
  };
}

/** Creates a gate with its own id and rules from its author's input. */
export function gateOf({ rules: given, ...texts }: NewGate, nowMs: number): Gate {
  const drafts = typeof given === 'string' ? presetRules(given) : given.map(({ draft }) => draft);
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
  return { ...texts, id: ulid(nowMs).toLowerCase(), rules: createRules(drafts, nowMs), revision: 1, ...times };
}

/** The body is the rule itself. */
const ofTheRule: RulePath = () => '';

/** The id of a gate or rule that a text spells in any case; null for a text that never was one and need not be queried. */
export function gateIdIn(text: string): string | null {
  if (/^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)) return text;
  return ulidIn(text)?.toLowerCase() ?? null;
}

function placed(gate: Gate, ruleId: string): PlacedRule {
  const position = indexOf(gate, ruleId);
  const rule = gate.rules[position];
  if (rule === undefined) throw new AppError('rule_not_found');
  return { rule, position };
}
