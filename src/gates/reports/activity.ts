import type { Owner } from '../../http/endpoint.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
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
  /** Writes pending counts as far as storage allows. */
  tryFlush(): Promise<void>;
}

export function createActivity(
  gates: Pick<Gates, 'list'>,
  stats: Pick<StatsStore, 'environment' | 'topRules'>,
  recorder: Pick<DecisionRecorder, 'tryFlush'>,
): Activity {
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
    tryFlush: recorder.tryFlush,
  };
}
