import { type ApiPromise, data, mapped } from './api-promise.ts';
import type { AnswerOf, BodyOf, Call, DataOf, ItemOf, QueryOf } from './call.ts';
import { decideCall } from './decide.ts';
import { type CursorPage, cursorPages, type Pages } from './pages.ts';
import type { CallOptions } from './settings.ts';

/** A gate with its rules. */
export interface Gate extends DataOf<'readGate'> {
  rules: Rule[];
}
/** A gate as a list shows it. */
export interface GateSummary extends ItemOf<'listGates'> {}
/** The settings of a new gate. */
export interface NewGate extends BodyOf<'createGate'> {}
/** Changes to a gate. */
export interface GateChanges extends BodyOf<'changeGate'> {}
/** A rule of a gate. */
export interface Rule extends DataOf<'readRule'> {}
/** The settings of a new rule. */
export interface NewRule extends BodyOf<'addRule'> {}
/** Changes to a rule. */
export interface RuleChanges extends BodyOf<'changeRule'> {}
/** A decision as the log keeps it. */
export interface LoggedDecision extends DataOf<'readDecision'> {}
/** A decision as a search over all gates shows it. */
export interface DecisionLine extends ItemOf<'searchDecisions'> {}
/** The filters of the log of a gate. */
export interface DecisionFilters extends Omit<QueryOf<'listDecisions'>, 'action'>, ActionFilter {}
/** The filters of a search over all gates. */
export interface DecisionSearch extends Omit<QueryOf<'searchDecisions'>, 'action'>, ActionFilter {}

interface ActionFilter {
  /** One action, or several. */
  action?: Action | readonly Action[] | undefined;
}
type Action = LoggedDecision['decision']['action'];
/** A gate at one revision, and the changes of that revision. */
export interface Revision extends DataOf<'readRevision'> {}
/** A revision as a list shows it. */
export interface RevisionSummary extends ItemOf<'listRevisions'> {}
/** Counts of decisions. */
export interface GateStats extends DataOf<'readStats'> {}
/** The changes that proposed rules would have made to past decisions. */
export interface BacktestResult extends DataOf<'backtest'> {}
/** A suggested rule, and the allowed decisions that it matches. */
export interface Suggestion extends ItemOf<'suggestRules'> {}
/** The changes that would allow the subject of a decision, and how many other decisions each would allow. */
export interface DecisionExceptions extends DataOf<'findExceptions'> {}
/** The result of each rule and condition. */
export interface GateTrace extends DataOf<'trace'> {}
/** A field that conditions can name. */
export interface ConditionField extends ItemOf<'listFields'> {}

/** An operator of conditions, and the value it takes. */
export interface ConditionOperator extends OperatorOf<AnswerOf<'listFields'>> {}
type OperatorOf<Catalogue extends { operators: unknown[] }> = Catalogue['operators'][number];

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
  list: (query: QueryOf<'listGates'> = {}, options?: CallOptions): Pages<CursorPage<GateSummary>> =>
    cursorPages((page: typeof query) => call('listGates', { query: page }, options), query),
  /** Creates a gate, by default with the rules of the signup preset. */
  create: (gate: NewGate, options?: CallOptions): ApiPromise<Gate> => data(call('createGate', { body: gate }, options)),
  /** A gate with its rules. */
  get: (gate_id: string, options?: CallOptions): ApiPromise<Gate> =>
    data(call('readGate', { path: { gate_id } }, options)),
  /** Changes only the given fields. */
  update: (gate_id: string, changes: GateChanges, options?: CallOptions): ApiPromise<Gate> =>
    data(call('changeGate', { path: { gate_id }, body: changes }, options)),
  /** Removes a gate with its rules, log and statistics. */
  delete: (gate_id: string, options?: CallOptions): ApiPromise<void> =>
    call('removeGate', { path: { gate_id } }, options),
  /** Decisions counted by action, rule and time. */
  stats: (gate_id: string, query: QueryOf<'readStats'> = {}, options?: CallOptions): ApiPromise<GateStats> =>
    data(call('readStats', { path: { gate_id }, query }, options)),
  /** Tests proposed rules on past decisions; changes nothing. */
  backtest: (gate_id: string, proposal: BodyOf<'backtest'>, options?: CallOptions): ApiPromise<BacktestResult> =>
    data(call('backtest', { path: { gate_id }, body: proposal }, options)),
  /** Rules that would have stopped bad decisions, derived from reported outcomes; changes nothing. */
  suggestions: (gate_id: string, span: BodyOf<'suggestRules'> = {}, options?: CallOptions): ApiPromise<Suggestion[]> =>
    data(call('suggestRules', { path: { gate_id }, body: span }, options)),
  /** Explains a decision; costs nothing and changes nothing. */
  trace: (gate_id: string, question: BodyOf<'trace'>, options?: CallOptions): ApiPromise<GateTrace> =>
    data(call('trace', { path: { gate_id }, body: question }, options)),
  /** The fields that conditions can name. */
  fields: (options?: CallOptions): ApiPromise<ConditionField[]> => data(call('listFields', {}, options)),
  /** The fields of conditions, and the operators with their labels and the values they take. */
  catalogue: (options?: CallOptions): ApiPromise<ConditionCatalogue> =>
    mapped(call('listFields', {}, options), ({ data: fields, operators }) => ({ fields, operators })),
  /** The rules of a gate. */
  rules: ruleCalls(call),
  /** The revisions of a gate, newest first. */
  revisions: revisionCalls(call),
  /** The decision log. */
  decisions: decisionCalls(call),
});

const ruleCalls = (call: Call) => ({
  /** The rules in their order. */
  list: (gate_id: string, options?: CallOptions): ApiPromise<Rule[]> =>
    data(call('listRules', { path: { gate_id } }, options)),
  /** Adds a rule at the end, or at `position`. */
  create: (gate_id: string, rule: NewRule, options?: CallOptions): ApiPromise<Rule> =>
    data(call('addRule', { path: { gate_id }, body: rule }, options)),
  /** One rule. */
  get: (gate_id: string, rule_id: string, options?: CallOptions): ApiPromise<Rule> =>
    data(call('readRule', { path: { gate_id, rule_id } }, options)),
  /** Changes only the given fields; `position` moves the rule. */
  update: (gate_id: string, rule_id: string, changes: RuleChanges, options?: CallOptions): ApiPromise<Rule> =>
    data(call('changeRule', { path: { gate_id, rule_id }, body: changes }, options)),
  /** Removes a rule. */
  delete: (gate_id: string, rule_id: string, options?: CallOptions): ApiPromise<void> =>
    call('removeRule', { path: { gate_id, rule_id } }, options),
  /** Replaces all rules of a gate; a rule with an existing id changes that rule. */
  replace: (gate_id: string, rules: BodyOf<'replaceRules'>['rules'], options?: CallOptions): ApiPromise<Rule[]> =>
    data(call('replaceRules', { path: { gate_id }, body: { rules } }, options)),
  /** As `replace`, with a default action, and only if the gate is still at `expected_revision`. */
  save: (gate_id: string, changes: BodyOf<'replaceRules'>, options?: CallOptions): ApiPromise<Rule[]> =>
    data(call('replaceRules', { path: { gate_id }, body: changes }, options)),
  /** Puts the rules in this order; every rule of the gate must be named once. */
  order: (gate_id: string, rule_ids: readonly string[], options?: CallOptions): ApiPromise<Rule[]> =>
    data(call('orderRules', { path: { gate_id }, body: { rule_ids } }, options)),
});

const revisionCalls = (call: Call) => ({
  /** Revisions with their authors, newest first: a page when awaited, all in `for await`. */
  list: (
    gate_id: string,
    query: QueryOf<'listRevisions'> = {},
    options?: CallOptions,
  ): Pages<CursorPage<RevisionSummary>> =>
    cursorPages((page: typeof query) => call('listRevisions', { path: { gate_id }, query: page }, options), query),
  /** The gate at a revision, or its current state. */
  get: (gate_id: string, revision: number | 'current', options?: CallOptions): ApiPromise<Revision> =>
    data(call('readRevision', { path: { gate_id, revision: String(revision) } }, options)),
  /** Restores the gate as it was; with `expected_revision` only if it has not changed since that revision. */
  restore: (
    gate_id: string,
    revision: number,
    condition: BodyOf<'restoreRevision'> = {},
    options?: CallOptions,
  ): ApiPromise<Gate> =>
    data(call('restoreRevision', { path: { gate_id, revision: String(revision) }, body: condition }, options)),
});

/** The same filters with the actions as the service reads them, separated by commas. */
const withAction = <Filters extends ActionFilter>(filters: Filters) => ({
  ...filters,
  action: filters.action === undefined ? undefined : String(filters.action),
});

const decisionCalls = (call: Call) => ({
  /** Logged decisions, newest first: a page when awaited, all in `for await`. */
  list: (gate_id: string, query: DecisionFilters = {}, options?: CallOptions): Pages<CursorPage<LoggedDecision>> =>
    cursorPages(
      (page: DecisionFilters) => call('listDecisions', { path: { gate_id }, query: withAction(page) }, options),
      query,
    ),
  /** Decisions of all gates, newest first, without their signals: a page when awaited, all in `for await`. */
  search: (query: DecisionSearch = {}, options?: CallOptions): Pages<CursorPage<DecisionLine>> =>
    cursorPages((page: DecisionSearch) => call('searchDecisions', { query: withAction(page) }, options), query),
  /** One logged decision. */
  get: (gate_id: string, decision_id: string, options?: CallOptions): ApiPromise<LoggedDecision> =>
    data(call('readDecision', { path: { gate_id, decision_id } }, options)),
  /** The smallest changes that would allow the subject of a decision; changes nothing. */
  exceptions: (gate_id: string, decision_id: string, options?: CallOptions): ApiPromise<DecisionExceptions> =>
    data(call('findExceptions', { path: { gate_id, decision_id } }, options)),
});
