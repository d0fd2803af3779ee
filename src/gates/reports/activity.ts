import type { Owner } from '../../http/endpoint.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import { firstIdAt } from '../decisions/decisions-store.ts';
import { type OutcomeTotals, totalOutcomes } from '../decisions/outcome-totals.ts';
import type { OutcomesStore } from '../decisions/outcomes-store.ts';
import type { EnvironmentCount, StatsStore } from '../decisions/stats-store.ts';
import { type Gates, maxGates } from '../gates.ts';

/** A rule, the gate it belongs to, and how often it matched while it was live. */
export interface MatchedRule {
  readonly gate: { readonly id: string; readonly name: string };
  readonly id: string;
  readonly name: string;
  readonly matches: number;
}

/** What all gates of an owner have done, from counters alone. */
export interface Activity {
  decisions(owner: Owner, fromMs: number, bucketMs: number): Promise<EnvironmentCount[]>;
  topRules(owner: Owner, fromMs: number, limit: number): Promise<MatchedRule[]>;
  /** By id. */
  gateNames(owner: Owner): Promise<ReadonlyMap<string, string>>;
  /** The outcomes of decisions since a time, by action. */
  outcomes(owner: Owner, fromMs: number): Promise<OutcomeTotals['actions']>;
  /** Writes pending counts as far as storage allows. */
  tryFlush(): Promise<void>;
}

interface ActivityParts {
  readonly gates: Pick<Gates, 'list'>;
  readonly stats: Pick<StatsStore, 'environment' | 'topRules'>;
  readonly outcomes: Pick<OutcomesStore, 'count'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly now: () => number;
}

export function createActivity({ gates, stats, outcomes, recorder, now }: ActivityParts): Activity {
  const gateNames = async (owner: Owner) =>
    new Map((await gates.list(owner, maxGates, null)).map(({ id, name }) => [id, name]));
  return {
    gateNames,
    decisions: stats.environment,
    async topRules(owner, fromMs, limit) {
      const names = await gateNames(owner);
      const top = await stats.topRules([...names.keys()], fromMs, limit);
      return top.map(({ gateId, ruleId, name, matches }) => ({
        gate: { id: gateId, name: names.get(gateId) ?? '' },
        id: ruleId,
        name,
        matches,
      }));
    },
    async outcomes(owner, fromMs) {
      const span = { from: firstIdAt(fromMs), before: firstIdAt(now() + 1) };
      return (await totalOutcomes(outcomes, [...(await gateNames(owner)).keys()], span)).actions;
    },
    tryFlush: recorder.tryFlush,
  };
}
