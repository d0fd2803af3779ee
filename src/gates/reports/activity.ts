import type { Owner } from '../../http/endpoint.ts';
import { firstIdAt } from '../../ulid.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import { type CountOutcomes, type OutcomeTotals, totalOutcomes } from '../decisions/outcome-totals.ts';
import type { EnvironmentCount, StatsStore } from '../decisions/stats-store.ts';
import { allGates, type Gates } from '../gates.ts';

/** A rule, the gate it belongs to, and how often it matched while it was live. */
export interface MatchedRule {
  readonly gate: { readonly id: string; readonly name: string };
  readonly id: string;
  readonly name: string;
  readonly matches: number;
}

/** The names of gates by their ids. */
export type GateNames = ReadonlyMap<string, string>;

/** The activity of all gates of an owner, from counters alone. */
export interface Activity {
  decisions(owner: Owner, fromMs: number, bucketMs: number): Promise<EnvironmentCount[]>;
  /** By id. */
  gateNames(owner: Owner): Promise<GateNames>;
  topRules(gates: GateNames, fromMs: number, limit: number): Promise<MatchedRule[]>;
  /** The outcomes of decisions since a time, by action. */
  outcomes(gates: GateNames, fromMs: number): Promise<OutcomeTotals['actions']>;
  /** Writes pending counts as far as storage allows. */
  tryFlush(): Promise<void>;
}

interface ActivityParts {
  readonly gates: Pick<Gates, 'list'>;
  readonly stats: Pick<StatsStore, 'environment' | 'topRules'>;
  readonly outcomes: CountOutcomes;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly now: () => number;
}

export function createActivity({ gates, stats, outcomes, recorder, now }: ActivityParts): Activity {
  return {
    decisions: stats.environment,
    gateNames: async (owner) => new Map((await gates.list(owner, allGates, null)).map(({ id, name }) => [id, name])),
    async topRules(names, fromMs, limit) {
      const top = await stats.topRules([...names.keys()], fromMs, limit);
      return top.map(({ gateId, ruleId, name, matches }) => ({
        gate: { id: gateId, name: names.get(gateId) ?? '' },
        id: ruleId,
        name,
        matches,
      }));
    },
    async outcomes(names, fromMs) {
      const span = { from: firstIdAt(fromMs), before: firstIdAt(now() + 1) };
      return (await totalOutcomes(outcomes, [...names.keys()], span)).actions;
    },
    tryFlush: recorder.tryFlush,
  };
}
