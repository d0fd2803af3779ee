import { parseAddress } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import type { Owner } from '../../http/endpoint.ts';
import { accept } from '../../input/accept.ts';
import { createYielder } from '../../platform/yielding.ts';
import { type CustomListSource, loadLists } from '../custom-lists.ts';
import { isHashed } from '../decisions/address-key.ts';
import type { LoggedRow } from '../decisions/decisions-store.ts';
import { fromLoggedRow, type LoggedDecision } from '../decisions/logged-decision.ts';
import type { Gate } from '../gate.ts';
import { maxRules } from '../gate-edits.ts';
import type { Action } from '../rules/action.ts';
import { compileGateInTurns, type Evaluation } from '../rules/evaluate.ts';
import { type ListHandles, listIdOf } from '../rules/list-condition.ts';
import type { Rule, RuleDraft } from '../rules/rule.ts';
import { newRuleInput } from '../rules/rule-input.ts';
import { type BacktestOptions, runBacktest } from './backtest.ts';

/** A request to the API that makes a gate allow the subject of a logged decision. */
interface Change {
  readonly summary: string;
  readonly request: {
    readonly method: 'POST' | 'PATCH';
    readonly path: string;
    readonly body: Readonly<Record<string, unknown>>;
  };
}

/** A change, and the recent decisions that it would have allowed as well. */
export interface Exception extends Change {
  readonly evaluated: number;
  readonly complete: boolean;
  readonly allows: number;
  readonly allowsGood: number;
  readonly allowsBad: number;
}

/** The gate's current decision about the subject, and the changes that would allow it, with the fewest further decisions first. */
export interface Exceptions {
  readonly action: Action;
  readonly changes: readonly Exception[];
}

export interface ExceptionParts extends Pick<BacktestOptions, 'store' | 'monotonicMs'> {
  readonly lists: CustomListSource;
  readonly regexBudget: NonNullable<BacktestOptions['regexBudget']>;
  readonly now: () => number;
}

/** How far back a change is compared. */
const comparedMs = 30 * 86_400_000;

/** Finds the smallest changes that allow the subject of a logged decision. Changes nothing. */
export async function findExceptions(
  owner: Owner,
  gate: Gate,
  row: LoggedRow,
  { now, lists: source, ...options }: ExceptionParts,
): Promise<Exceptions> {
  const logged = fromLoggedRow(row);
  const lists = await loadLists(source, owner, gate.rules);
  const decideWith = async <R extends RuleDraft>(rules: readonly R[]): Promise<Evaluation<R>> => {
    const yieldWhenDue = createYielder(options.monotonicMs);
    const evaluable = { defaultAction: gate.defaultAction, rules };
    return (await compileGateInTurns(evaluable, options.regexBudget, yieldWhenDue, lists))(logged.signals);
  };
  const { action, matchedRule } = await decideWith(gate.rules);
  if (action === 'allow') return { action, changes: [] };
  const fromMs = now() - comparedMs;
  const changes: Exception[] = [];
  for (const { rules, ...change } of candidates(gate, logged, matchedRule, lists)) {
    if ((await decideWith(rules)).action !== 'allow') continue;
    const proposal = { rules, defaultAction: null, against: 'rules', fromMs } as const;
    const result = await runBacktest(gate, proposal, { ...options, lists });
    const { evaluated, complete } = result;
    const allowed = result.changes.filter(({ to }) => to === 'allow');
    const sum = (name: 'count' | 'good' | 'bad'): number => allowed.reduce((total, each) => total + each[name], 0);
    const counts = { allows: sum('count'), allowsGood: sum('good'), allowsBad: sum('bad') };
    changes.push({ ...change, evaluated, complete, ...counts });
  }
  return { action, changes: changes.sort((one, other) => one.allows - other.allows) };
}

/** A change with the rules that have its effect. */
interface Candidate extends Change {
  readonly rules: readonly RuleDraft[];
}

/** By address, by domain, and by the rule that decides; the former where the log does not hide the address. */
function candidates(gate: Gate, logged: LoggedDecision, deciding: Rule | null, lists: ListHandles): Candidate[] {
  const { email } = logged.input;
  const address = email === undefined || isHashed(email) ? null : parseAddress(email);
  const [domain] = logged.signals.domain;
  return [
    ...(address === null ? [] : exceptionFor(gate, 'email', normalizeAddress(address), lists)),
    ...(typeof domain === 'string' ? exceptionFor(gate, 'domain', domain, lists) : []),
    ...(deciding === null ? [] : [shadowed(gate, deciding)]),
  ];
}

/** The fields that say who it is, by the kind of list whose entries they are compared with. */
const identities = { email: 'email.normalized', domain: 'domain.name' } as const;

/** An entry of a list that the gate allows already, otherwise a rule on top; none where the gate is full. */
function exceptionFor(gate: Gate, kind: keyof typeof identities, value: string, lists: ListHandles): Candidate[] {
  const conditions = [{ field: identities[kind], operator: 'equals', value }];
  const name = Array.from(`Allow ${value}`).slice(0, 120).join('');
  const body = { name, action: 'allow', stop: true, position: 0, conditions };
  const rules = [accept(newRuleInput, body).draft, ...gate.rules];
  const listId = allowingList(gate.rules, kind, lists);
  if (listId !== null) {
    const summary = `Add ${value} to the list that the gate allows`;
    const request = { method: 'POST', path: `/v1/lists/${listId}/entries`, body: { entries: [{ value }] } } as const;
    return [{ summary, request, rules }];
  }
  if (gate.rules.length >= maxRules) return [];
  const summary = `Add a rule on top that allows ${value}`;
  return [{ summary, request: { method: 'POST', path: `/v1/gates/${gate.id}/rules`, body }, rules }];
}

/** The list of a rule that allows its entries before any rule can decide otherwise. */
function allowingList(rules: readonly Rule[], kind: keyof typeof identities, lists: ListHandles): string | null {
  const live = rules.filter(({ enabled, mode }) => enabled && mode === 'live');
  const first = live.findIndex(({ stop, action }) => stop && action !== 'allow');
  const deciding = (first === -1 ? live : live.slice(0, first)).filter(
    ({ action, stop, match, conditions }) => action === 'allow' && stop && (match === 'any' || conditions.length === 1),
  );
  const inLists = deciding
    .flatMap(({ conditions }) => conditions)
    .filter(
      ({ field, operator }) => operator === 'in_list' && (field === identities[kind] || field === `${kind}.address`),
    );
  const ids = inLists.map(listIdOf).filter((id) => id !== null);
  return ids.find((id) => lists.get(id)?.members?.kind === kind) ?? null;
}

function shadowed(gate: Gate, { id, name }: Rule): Candidate {
  return {
    summary: `Put the rule "${name}" into shadow mode`,
    request: { method: 'PATCH', path: `/v1/gates/${gate.id}/rules/${id}`, body: { mode: 'shadow' } },
    rules: gate.rules.map((rule) => (rule.id === id ? { ...rule, mode: 'shadow' as const } : rule)),
  };
}
