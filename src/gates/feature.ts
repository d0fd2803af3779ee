import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import type { NameActors } from '../actor.ts';
import { heldListKinds } from '../custom-lists/custom-lists-store.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Call, Owner } from '../http/endpoint.ts';
import { createClampedClock } from '../platform/clamped-clock.ts';
import type { Job } from '../platform/jobs.ts';
import { eventCounter, startAtZero } from '../platform/metric-kinds.ts';
import { createYielder } from '../platform/yielding.ts';
import { type CustomListSource, createListCheck } from './custom-lists.ts';
import {
  createDecide,
  type Decide,
  type Decision,
  type DecisionRequest,
  type ReadDecisionSignals,
} from './decisions/decision.ts';
import { toLoggedRow } from './decisions/decision-entry.ts';
import { createDecisionRecorder } from './decisions/decision-recorder.ts';
import { pruneDecisions } from './decisions/decision-retention.ts';
import { decisionsEndpoints } from './decisions/decisions-endpoints.ts';
import { loadAddressKeys } from './decisions/load-address-keys.ts';
import { logEndpoints } from './decisions/log-endpoints.ts';
import { type OutcomeName, outcomeNames } from './decisions/outcome.ts';
import { createStatsStore } from './decisions/stats-store.ts';
import { createFirstGates, type FirstGate } from './first-gates.ts';
import { createGateCache, type GateCache } from './gate-cache.ts';
import { createGateIds, type GateIds } from './gate-ids-store.ts';
import { createGates, type Gates } from './gates.ts';
import { gatesEndpoints } from './gates-endpoints.ts';
import { createGatesStore, gatesTopic } from './gates-store.ts';
import { createGroupOutcomes, type GroupOutcomes } from './outcomes/group-outcomes.ts';
import { createOutcomes } from './outcomes/outcomes.ts';
import { outcomesEndpoints } from './outcomes/outcomes-endpoints.ts';
import { createRegexBudget } from './regex/regex-budget.ts';
import { type Activity, createActivity } from './reports/activity.ts';
import { allLogEndpoints, type IdsOfWave } from './reports/all-log-endpoints.ts';
import { exceptionsEndpoint } from './reports/exceptions-endpoint.ts';
import { reportsEndpoints } from './reports/reports-endpoints.ts';
import { ruleHealthEndpoint } from './reports/rule-health-endpoint.ts';
import { summaryEndpoint } from './reports/summary-endpoints.ts';
import { type GateTrace, type ReadTraceSubject, traceGate } from './reports/trace.ts';
import { createTraceLimit, traceEndpoint } from './reports/trace-endpoints.ts';
import { createRevisions } from './revisions.ts';
import { revisionsEndpoints } from './revisions-endpoints.ts';
import { createRevisionsStore } from './revisions-store.ts';
import { compilePatternsAhead } from './rules/patterns-ahead.ts';
import { rulesEndpoints } from './rules-endpoints.ts';
import { type OpenDecisionLog, openDecisionLog } from './segments/open-decision-log.ts';
import { sealDecisions } from './segments/sealing.ts';
import { createSuggestRules } from './suggestions/suggestions.ts';
import { suggestionsEndpoint } from './suggestions/suggestions-endpoints.ts';

/** How gates read the signals of a subject. */
export interface SubjectReaders {
  readonly readSignals: ReadDecisionSignals;
  readonly readTraceSubject: ReadTraceSubject;
  readonly idsOfWave: IdsOfWave;
}

/** Gates, their decisions and their log. */
export interface GatesFeature extends Feature {
  readonly activity: Activity;
  readonly log: OpenDecisionLog;
  readonly gates: Pick<Gates, 'read' | 'addRule'>;
  readonly gateIds: GateIds;
  readonly groupOutcomes: GroupOutcomes;
  readonly findGate: GateCache['find'];
  readonly decide: Decide;
  /** Creates the gates of the first account. */
  createFirst(accountId: string): Promise<readonly FirstGate[]>;
  /** Traces a question to a gate, as often as traces are allowed. */
  trace(gateId: string, about: DecisionRequest, call: Call): Promise<GateTrace>;
}

/** Builds Gates: management, decisions, their log and its reports. */
export async function createGatesFeature(
  shared: Shared,
  { readSignals, readTraceSubject, idsOfWave }: SubjectReaders,
  lists: CustomListSource,
  nameActors: NameActors,
  onDecision: (decision: Decision, owner: Owner) => void,
): Promise<GatesFeature> {
  const { config, db, log, now, monotonicMs } = shared;
  const keys = await loadAddressKeys(db, config);
  const decisions = openDecisionLog(db);
  const outcomesStore = decisions.outcomes;
  const stats = createStatsStore(db);
  const { dropped, skipped, reported } = createCounters();
  const regexBudget = createRegexBudget({ monotonicMs, processorMs }, () => skipped.inc());
  const recorder = createDecisionRecorder({
    store: decisions,
    toRow: config.decisionLogDays === 0 ? null : (decision) => toLoggedRow(decision, keys),
    onDropped: reportDropped(log, dropped),
  });
  const store = createGatesStore(
    db,
    createListCheck((trx, owner, listIds) => heldListKinds(trx, db, owner, listIds)),
  );
  const gateCache = createGateCache(store, { monotonicMs, lists, regexBudget });
  const gates = createGates(store, gateCache, now);
  const revisionsStore = createRevisionsStore(db);
  const revisions = createRevisions(gates, revisionsStore);
  const onStored = (outcome: OutcomeName, count: number): void => reported.inc({ outcome }, count);
  const outcomes = createOutcomes({ gates, decisions, store: outcomesStore, recorder, keys, now, onStored });
  const prepareBody = (body: unknown) => compilePatternsAhead(body, createYielder(monotonicMs));
  const decide = createDecide({
    readSignals,
    keys,
    record(decision, evaluation, caller) {
      recorder.record(decision, evaluation);
      onDecision(decision, caller);
    },
    now,
    monotonicMs,
  });

  const tracing = {
    readSubject: readTraceSubject,
    keys,
    revisions,
    decisions,
    recorder,
    lists,
    regexBudget,
    yieldWhenDue: () => createYielder(monotonicMs),
  };
  const limitRate = createTraceLimit(monotonicMs);
  const clampedNow = createClampedClock(now, monotonicMs);
  return {
    log: decisions,
    gates,
    activity: createActivity({ gates, stats, outcomes: outcomesStore, recorder, now }),
    gateIds: createGateIds(db),
    groupOutcomes: createGroupOutcomes(outcomesStore, onStored),
    findGate: gateCache.find,
    decide,
    createFirst: (accountId) => createFirstGates(store, accountId, now()),
    async trace(gateId, about, call) {
      limitRate(call.caller, about);
      const gate = await gates.read(call.caller, gateId);
      return traceGate(gate, { about, proposed: null, defaultAction: null }, call, tracing);
    },
    endpoints: [
      ...gatesEndpoints(gates, prepareBody),
      ...rulesEndpoints(gates, prepareBody),
      ...revisionsEndpoints(revisions, nameActors),
      ...decisionsEndpoints(gateCache, decide),
      ...logEndpoints({ gates, store: decisions, recorder, keys }),
      ...outcomesEndpoints(gates, outcomes),
      suggestionsEndpoint(gates, recorder, createSuggestRules({ decisions, outcomes: outcomesStore, monotonicMs })),
      ...reportsEndpoints({
        gates,
        stats,
        outcomes: outcomesStore,
        decisions,
        recorder,
        lists,
        now,
        monotonicMs,
        regexBudget,
        prepareBody,
      }),
      ...allLogEndpoints({ ...tracing, gates, keys, idsOfWave }),
      summaryEndpoint({ gates, stats, revisions: revisionsStore, recorder, nameActors, now }),
      ruleHealthEndpoint({ gates, stats, outcomes: outcomesStore, revisions: revisionsStore, recorder, now }),
      traceEndpoint({ ...tracing, gates, limitRate, prepareBody }),
      exceptionsEndpoint({ gates, recorder, store: decisions, lists, now, monotonicMs, regexBudget }),
    ],
    follows: [{ topic: gatesTopic, changed: gateCache.changed, changedAll: gateCache.changedAll }],
    metrics: [dropped, skipped, reported],
    caches: { gates: gateCache.size },
    buffers: [recorder.buffer],
    jobs: logJobs(decisions, () => pruneDecisions(decisions, stats, clampedNow(), config.decisionLogDays)),
  };
}

function createCounters() {
  return {
    dropped: eventCounter(
      'decision_log_dropped_total',
      'Decisions that were answered but not logged, because the buffer was full or storage was unavailable',
    ),
    skipped: eventCounter(
      'gate_patterns_skipped_total',
      'Conditions left unknown because the regular expressions of a decision had used up their time budget',
    ),
    reported: startAtZero(
      eventCounter('outcomes_total', 'Outcomes of decisions that clients reported, by outcome', 'outcome'),
      outcomeNames.map((outcome) => ({ outcome })),
    ),
  };
}

/** Removes old decisions, and seals the others. */
function logJobs({ segments }: OpenDecisionLog, prune: () => Promise<void>): Job[] {
  return [
    {
      name: 'prune-decisions',
      everyMs: 600_000,
      lease: { forMs: 1_200_000 },
      failure: 'old decisions could not be removed; the next attempt is in ten minutes',
      run: prune,
    },
    {
      name: 'seal-decisions',
      everyMs: 1_000,
      idleMs: 20_000,
      lease: { forMs: 30_000 },
      failure: 'decisions are not sealed into segments yet',
      run: (signal) => sealDecisions(segments, signal),
    },
  ];
}

/** CPU time of this thread so far. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function reportDropped(log: Logger, dropped: Counter): (entries: number, error: unknown) => void {
  return (entries, error) => {
    dropped.inc(entries);
    if (error === null) log.warn({ entries }, 'decisions not logged: the storage does not take them fast enough');
    else log.error({ err: error, entries }, 'decisions not logged');
  };
}
