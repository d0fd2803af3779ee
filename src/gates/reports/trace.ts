import { AppError } from '../../errors.ts';
import type { Call, Caller, Owner } from '../../http/endpoint.ts';
import { stage } from '../../http/timing/stage-times.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { ulidIn } from '../../ulid.ts';
import { type CustomListSource, listProblems, loadLists } from '../custom-lists.ts';
import type { AddressKeys } from '../decisions/address-key.ts';
import type { DecisionInput, DecisionRequest } from '../decisions/decision.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { DecisionsStore, LoggedRow } from '../decisions/decisions-store.ts';
import { fromLoggedRow, revisionOf } from '../decisions/logged-decision.ts';
import type { Gate } from '../gate.ts';
import type { RegexBudget } from '../regex/regex-budget.ts';
import type { Revisions } from '../revisions.ts';
import type { Revision } from '../revisions-store.ts';
import type { Action } from '../rules/action.ts';
import { usesTraffic } from '../rules/fields.ts';
import { countPatternCosts } from '../rules/gate-patterns.ts';
import type { Rule, RuleDraft } from '../rules/rule.ts';
import type { Values } from '../rules/signals.ts';
import { type Trace, type TraceSubject, traceRules } from '../rules/trace.ts';
import type { ProposedRules, TraceRequest } from './trace-input.ts';

/** A rule that is traced; a new one has no id. */
export type TracedDraft = RuleDraft & { readonly id: string | null };

/** Everything that is known of a subject, and why not the rest. Rejects when the answer cannot be known. */
export type ReadTraceSubject = (
  request: DecisionRequest,
  caller: Caller,
  deviceKey: string | null,
) => Promise<TraceSubject>;

/** Dependencies of tracing. */
export interface TraceParts {
  readonly readSubject: ReadTraceSubject;
  readonly keys: Pick<AddressKeys, 'deviceKeyOf'>;
  readonly revisions: Pick<Revisions, 'of'>;
  readonly decisions: Pick<DecisionsStore, 'find'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly lists: CustomListSource;
  readonly regexBudget: RegexBudget;
  readonly yieldWhenDue: () => YieldWhenDue;
}

interface TracedRules {
  /** Null for rules that are not saved. */
  readonly revision: number | null;
  readonly defaultAction: Action;
  readonly rules: readonly TracedDraft[];
}

/** How a gate comes to its answer, over which rules. */
export interface GateTrace extends Trace<TracedDraft> {
  readonly input: DecisionInput;
  readonly signals: TraceSubject['signals'];
  readonly showsTraffic: boolean;
  readonly revision: number | null;
  readonly proposed: ProposedRules | null;
}

/** Traces a gate on the requested subject or decision. Changes nothing, logs nothing. */
export async function traceGate(
  gate: Gate,
  { about, proposed: sent, defaultAction }: TraceRequest,
  { caller, stages }: Pick<Call, 'caller' | 'stages'>,
  parts: TraceParts,
): Promise<GateTrace> {
  stages.enter(stage.facts);
  const row = 'decisionId' in about ? await findLogged(gate.id, about.decisionId, parts) : null;
  const found =
    'decisionId' in about
      ? null
      : { input: about.input, subject: await readSubject(about, caller, parts), showsTraffic: null };
  const { input, subject, showsTraffic } = found ?? loggedSubject(row as LoggedRow);
  const proposed = sent === null ? null : await withListProblems(sent, caller, parts.lists);
  const own = proposed === null ? await rulesOf(gate, row, parts) : proposedRules(gate, proposed);
  const rules = { ...own, defaultAction: defaultAction ?? own.defaultAction };
  stages.endWait(stage.decide);
  const lists = await loadLists(parts.lists, caller, rules.rules);
  const yieldWhenDue = parts.yieldWhenDue();
  const trace = await traceRules(rules, subject, { budget: parts.regexBudget, yieldWhenDue, lists });
  if (proposed === null) await countPatternCosts(rules.rules, yieldWhenDue);
  return {
    ...trace,
    input,
    signals: subject.signals,
    showsTraffic: showsTraffic ?? usesTraffic(rules.rules),
    revision: own.revision,
    proposed,
  };
}

function readSubject(about: DecisionRequest, caller: Caller, parts: TraceParts): Promise<TraceSubject> {
  const deviceKey = about.device === null ? null : parts.keys.deviceKeyOf(caller, about.device);
  return parts.readSubject(about, caller, deviceKey);
}

/** Traces a logged decision over the rules that made it; null when these are not known or no longer kept. */
export async function traceLogged(
  owner: Owner,
  gate: Gate,
  row: LoggedRow,
  parts: Omit<TraceParts, 'decisions'>,
): Promise<(GateTrace & { readonly rulesOfThen: readonly Rule[] }) | null> {
  const then = await rulesOfThen(gate, row, parts);
  if (then === null) return null;
  const { input, subject, showsTraffic } = loggedSubject(row);
  const lists = await loadLists(parts.lists, owner, then.rules);
  const trace = await traceRules(then, subject, {
    budget: parts.regexBudget,
    yieldWhenDue: parts.yieldWhenDue(),
    lists,
  });
  const { revision, rules } = then;
  return { ...trace, input, signals: subject.signals, showsTraffic, revision, proposed: null, rulesOfThen: rules };
}

async function findLogged(gateId: string, id: string, { recorder, decisions }: TraceParts): Promise<LoggedRow> {
  await recorder.tryFlush();
  const ulid = ulidIn(id);
  const row = ulid === null ? null : await decisions.find(gateId, ulid);
  if (row === null) throw new AppError('decision_not_found');
  return row;
}

/** The log keeps that something was unknown, and not why. */
function loggedSubject(row: LoggedRow): { input: DecisionInput; subject: TraceSubject; showsTraffic: boolean } {
  const { input, signals, showsTraffic } = fromLoggedRow(row);
  const notRecorded = (values: Values | null) => values?.map(() => 'not_recorded') ?? null;
  const { email, domain, ip, traffic = null } = signals;
  const reasons = {
    email: notRecorded(email),
    domain: notRecorded(domain),
    ip: notRecorded(ip),
    traffic: notRecorded(traffic),
  };
  return { input, subject: { signals, reasons }, showsTraffic };
}

/** Rules whose lists do not exist or do not fit are invalid like any others. */
async function withListProblems(
  proposed: ProposedRules,
  owner: Owner,
  source: CustomListSource,
): Promise<ProposedRules> {
  const drafts = proposed.rules.map((rule, index) => [`rules.${index}.`, rule?.draft ?? noConditions] as const);
  const lists = await loadLists(
    source,
    owner,
    drafts.map(([, draft]) => draft),
  );
  const kindOf = (listId: string) => lists.get(listId)?.members?.kind;
  const rules = proposed.rules.map((rule, index) => {
    const draft = drafts[index];
    return draft === undefined || Object.keys(listProblems([draft], kindOf)).length > 0 ? null : rule;
  });
  return { ...proposed, rules, problems: { ...proposed.problems, ...listProblems(drafts, kindOf) } };
}

const noConditions = { conditions: [] };

function proposedRules({ defaultAction }: Gate, { rules }: ProposedRules): TracedRules {
  const traced = rules.flatMap((rule) => (rule === null ? [] : [{ ...rule.draft, id: rule.id }]));
  return { revision: null, defaultAction, rules: traced };
}

/** The gate's own rules; for a logged decision the rules of its time, or today's when those are unknown. */
async function rulesOf(gate: Gate, row: LoggedRow | null, parts: TraceParts): Promise<TracedRules> {
  if (row === null) return gate;
  return (await rulesOfThen(gate, row, parts)) ?? { ...gate, revision: null };
}

function rulesOfThen(
  gate: Gate,
  row: LoggedRow,
  { revisions }: Pick<TraceParts, 'revisions'>,
): Promise<Revision | null> | null {
  const revision = revisionOf(row);
  return revision === null ? null : revisions.of(gate, revision);
}
