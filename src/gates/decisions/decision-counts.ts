import type { Evaluation } from '../rules/evaluate.ts';
import type { Rule } from '../rules/rule.ts';
import type { Decision } from './decision.ts';

/** How often a rule matched: while it was live, and in shadow mode. */
export interface RuleCount {
  readonly ruleId: string;
  name: string;
  matches: number;
  shadowMatches: number;
}

/** The decisions of one gate in one hour. */
export interface HourCounts {
  readonly gateId: string;
  /** When the hour began. */
  readonly hourMs: number;
  allow: number;
  block: number;
  challenge: number;
  readonly rules: Map<string, RuleCount>;
}

/** Counts that are not written yet, by gate and hour. */
export interface DecisionCounts {
  readonly size: number;
  add(decision: Decision, evaluation: Evaluation<Rule>): void;
  /** Returns everything counted so far and starts over. */
  take(): HourCounts[];
  /** Takes counts back that could not be written. */
  putBack(counts: readonly HourCounts[]): void;
}

export const hourMs = 3_600_000;

export function createDecisionCounts(): DecisionCounts {
  let hours = new Map<string, HourCounts>();
  /** The hour of each gate's last decision: building a key for every decision would cost more than counting it. */
  let latest = new Map<string, HourCounts>();
  const countsOf = (gateId: string, atMs: number): HourCounts => {
    const last = latest.get(gateId);
    if (last !== undefined && atMs >= last.hourMs && atMs < last.hourMs + hourMs) return last;
    const hour = atMs - (atMs % hourMs);
    const key = `${gateId}${hour}`;
    let counts = hours.get(key);
    if (counts === undefined) {
      counts = { gateId, hourMs: hour, allow: 0, block: 0, challenge: 0, rules: new Map() };
      hours.set(key, counts);
    }
    latest.set(gateId, counts);
    return counts;
  };
  return {
    get size() {
      return hours.size;
    },
    add({ gateId, createdAtMs, action }, { matched, shadowMatched }) {
      const counts = countsOf(gateId, createdAtMs);
      counts[action] += 1;
      for (const rule of matched) ruleCount(counts, rule.id, rule.name).matches += 1;
      for (const rule of shadowMatched) ruleCount(counts, rule.id, rule.name).shadowMatches += 1;
    },
    take() {
      const taken = [...hours.values()];
      hours = new Map();
      latest = new Map();
      return taken;
    },
    putBack(counts) {
      for (const { gateId, hourMs: hour, allow, block, challenge, rules } of counts) {
        const into = countsOf(gateId, hour);
        into.allow += allow;
        into.block += block;
        into.challenge += challenge;
        for (const { ruleId, name, matches, shadowMatches } of rules.values()) {
          const rule = ruleCount(into, ruleId, name);
          rule.matches += matches;
          rule.shadowMatches += shadowMatches;
        }
      }
    },
  };
}

function ruleCount({ rules }: HourCounts, ruleId: string, name: string): RuleCount {
  let count = rules.get(ruleId);
  if (count === undefined) {
    count = { ruleId, name, matches: 0, shadowMatches: 0 };
    rules.set(ruleId, count);
  }
  count.name = name;
  return count;
}
