import type { AnswerOf, BodyOf, Call, QueryOf } from './call.ts';
import { data } from './data.ts';
import { decideCall } from './decide.ts';
import { cursorPages } from './pages.ts';
import type { CallOptions } from './settings.ts';

/** A gate with its rules. */
export type Gate = AnswerOf<'readGate'>['data'];
/** A gate as a list shows it. */
export type GateSummary = AnswerOf<'listGates'>['data'][number];
/** The settings of a new gate. */
export type NewGate = BodyOf<'createGate'>;
/** Changes to a gate. */
export type GateChanges = BodyOf<'changeGate'>;
/** A rule of a gate. */
export type Rule = AnswerOf<'readRule'>['data'];
/** The settings of a new rule. */
export type NewRule = BodyOf<'addRule'>;
/** Changes to a rule. */
export type RuleChanges = BodyOf<'changeRule'>;
/** A decision as the log keeps it. */
export type LoggedDecision = AnswerOf<'readDecision'>['data'];
/** A gate at one revision, and the changes of that revision. */
export type Revision = AnswerOf<'readRevision'>['data'];
/** Counts of decisions. */
export type GateStats = AnswerOf<'readStats'>['data'];
/** What proposed rules would have decided. */
export type BacktestResult = AnswerOf<'backtest'>['data'];
/** The result of each rule and condition. */
export type GateTrace = AnswerOf<'trace'>['data'];
/** A field that conditions can name. */
export type ConditionField = AnswerOf<'listFields'>['data'][number];

/** An operator of conditions, and the value it takes. */
export type ConditionOperator = AnswerOf<'listFields'>['operators'][number];

/** The fields and operators that a rule editor offers. */
export interface ConditionCatalogue {
  readonly fields: readonly ConditionField[];
  readonly operators: readonly ConditionOperator[];
}

/** The calls of Gates. */
export const gatesCalls = (call: Call) => ({
  /** Asks a gate about an email address or a domain. */
  decide: decideCall(call),
  /** The gates, newest first: a page when awaited, all in `for await`. */
  list: (query: QueryOf<'listGates'> = {}, options?: CallOptions) =>
    cursorPages((page: typeof query) => call('listGates', { query: page }, options), query),
  /** Creates a gate, by default with the rules of the signup preset. */
  create: (gate: NewGate, options?: CallOptions) => data(call('createGate', { body: gate }, options)),
  /** A gate with its rules. */
  get: (gate_id: string, options?: CallOptions) => data(call('readGate', { path: { gate_id } }, options)),
  /** Changes only the given fields. */
  update: (gate_id: string, changes: GateChanges, options?: CallOptions) =>
    data(call('changeGate', { path: { gate_id }, body: changes }, options)),
  /** Removes a gate with its rules, log and statistics. */
  delete: (gate_id: string, options?: CallOptions): Promise<void> => call('removeGate', { path: { gate_id } }, options),
  /** Decisions counted by action, rule and time. */
  stats: (gate_id: string, query: QueryOf<'readStats'> = {}, options?: CallOptions) =>
    data(call('readStats', { path: { gate_id }, query }, options)),
  /** What proposed rules would have decided; changes nothing. */
  backtest: (gate_id: string, proposal: BodyOf<'backtest'>, options?: CallOptions) =>
    data(call('backtest', { path: { gate_id }, body: proposal }, options)),
  /** Explains a decision; costs nothing and changes nothing. */
  trace: (gate_id: string, question: BodyOf<'trace'>, options?: CallOptions) =>
    data(call('trace', { path: { gate_id }, body: question }, options)),
  /** What conditions can name. */
  fields: (options?: CallOptions) => data(call('listFields', {}, options)),
  /** The fields of conditions, and the operators with their labels and the values they take. */
  catalogue: async (options?: CallOptions): Promise<ConditionCatalogue> => {
    const { data: fields, operators } = await call('listFields', {}, options);
    return { fields, operators };
  },
  /** The rules of a gate. */
  rules: ruleCalls(call),
  /** The revisions of a gate, newest first. */
  revisions: revisionCalls(call),
  /** The decision log of a gate. */
  decisions: decisionCalls(call),
});

const ruleCalls = (call: Call) => ({
  /** The rules in their order. */
  list: (gate_id: string, options?: CallOptions) => data(call('listRules', { path: { gate_id } }, options)),
  /** Adds a rule at the end, or at `position`. */
  create: (gate_id: string, rule: NewRule, options?: CallOptions) =>
    data(call('addRule', { path: { gate_id }, body: rule }, options)),
  /** One rule. */
  get: (gate_id: string, rule_id: string, options?: CallOptions) =>
    data(call('readRule', { path: { gate_id, rule_id } }, options)),
  /** Changes only the given fields; `position` moves the rule. */
  update: (gate_id: string, rule_id: string, changes: RuleChanges, options?: CallOptions) =>
    data(call('changeRule', { path: { gate_id, rule_id }, body: changes }, options)),
  /** Removes a rule. */
  delete: (gate_id: string, rule_id: string, options?: CallOptions): Promise<void> =>
    call('removeRule', { path: { gate_id, rule_id } }, options),
  /** Replaces all rules of a gate; a rule with an existing id changes that rule. */
  replace: (gate_id: string, rules: BodyOf<'replaceRules'>['rules'], options?: CallOptions) =>
    data(call('replaceRules', { path: { gate_id }, body: { rules } }, options)),
  /** As `replace`, with a default action, and only if the gate is still at `expected_revision`. */
  save: (gate_id: string, changes: BodyOf<'replaceRules'>, options?: CallOptions) =>
    data(call('replaceRules', { path: { gate_id }, body: changes }, options)),
  /** Puts the rules in this order; every rule of the gate must be named once. */
  order: (gate_id: string, rule_ids: readonly string[], options?: CallOptions) =>
    data(call('orderRules', { path: { gate_id }, body: { rule_ids } }, options)),
});

const revisionCalls = (call: Call) => ({
  /** Who changed what, newest first: a page when awaited, all in `for await`. */
  list: (gate_id: string, query: QueryOf<'listRevisions'> = {}, options?: CallOptions) =>
    cursorPages((page: typeof query) => call('listRevisions', { path: { gate_id }, query: page }, options), query),
  /** The gate at a revision, or its current state. */
  get: (gate_id: string, revision: number | 'current', options?: CallOptions) =>
    data(call('readRevision', { path: { gate_id, revision: String(revision) } }, options)),
  /** Restores the gate as it was; with `expected_revision` only if it has not changed since that revision. */
  restore: (gate_id: string, revision: number, condition: BodyOf<'restoreRevision'> = {}, options?: CallOptions) =>
    data(call('restoreRevision', { path: { gate_id, revision: String(revision) }, body: condition }, options)),
});

const decisionCalls = (call: Call) => ({
  /** Logged decisions, newest first: a page when awaited, all in `for await`. */
  list: (gate_id: string, query: QueryOf<'listDecisions'> = {}, options?: CallOptions) =>
    cursorPages((page: typeof query) => call('listDecisions', { path: { gate_id }, query: page }, options), query),
  /** One logged decision. */
  get: (gate_id: string, decision_id: string, options?: CallOptions) =>
    data(call('readDecision', { path: { gate_id, decision_id } }, options)),
});
