import { parseIp } from '../address/ip.ts';
import { blockOf } from '../address/ip-network.ts';
import { compileGate } from '../gates/rules/evaluate.ts';
import type { ListHandles } from '../gates/rules/list-condition.ts';
import type { DecisionSignals } from '../gates/rules/signals.ts';
import type { Owner } from '../http/endpoint.ts';
import type { Evidence } from './kind-rows.ts';
import type { ConfirmedWave, ReportedOutcome } from './wave.ts';
import { draftList, listOfWave } from './wave-list.ts';
import { type ProposedRule, proposedRules, withAction } from './wave-rule.ts';

/** A rule against a wave, and its effect on logged decisions. */
export interface ChosenRule {
  readonly rule: ProposedRule;
  /** Matching decisions: the wave's, and others. */
  readonly stops: number;
  readonly touches: number;
  readonly evaluated: number;
  /** False when older decisions of the 30 days were left out: there were too many, or no time for them. */
  readonly isComplete: boolean;
}

/** A logged decision. */
export interface EvaluatedDecision {
  readonly createdAtMs: number;
  readonly signals: DecisionSignals;
  readonly outcome: ReportedOutcome | null;
}

/** The maximum of the log that is read. */
export interface ReadBudget {
  readonly maxEntries: number;
  readonly forMs: number;
  readonly monotonicMs: () => number;
}

/** Visits an owner's logged decisions from a moment on, newest first; returns whether it visited all of them. */
export type ReadLog = (
  owner: Owner,
  fromMs: number,
  budget: ReadBudget,
  visit: (decision: EvaluatedDecision) => void,
) => Promise<boolean>;

export interface RuleChoiceParts {
  readonly readLog: ReadLog;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

const spanMs = 30 * 86_400_000;
const maxEntries = 10_000;
const forMs = 1_000;
/** Of the rules that stop at least this share of the best rule's matches, the one with the fewest other matches is chosen. */
const enoughShare = 0.8;

/** Chooses the rule that matches a wave and the fewest other decisions in the log. It blocks no value that had good outcomes. */
export async function chooseRule(
  evidence: Evidence & { readonly wave: ConfirmedWave },
  { readLog, now, monotonicMs }: RuleChoiceParts,
): Promise<ChosenRule> {
  const { wave } = evidence;
  const [direct, ...others] = proposedRules(evidence);
  const lists = draftLists(wave);
  const tried = [direct, ...others].map((rule) => ({
    rule,
    evaluate: compileGate(
      { defaultAction: 'allow', rules: [{ ...rule, stop: false, enabled: true, mode: 'live' as const }] },
      undefined,
      lists,
    ),
    inside: 0,
    outside: 0,
    good: 0,
  }));
  let evaluated = 0;
  const budget = { maxEntries, forMs, monotonicMs };
  const isComplete = await readLog(wave.owner, now() - spanMs, budget, ({ createdAtMs, signals, outcome }) => {
    evaluated += 1;
    const isInside = createdAtMs >= wave.beganAtMs && createdAtMs <= (wave.endedAtMs ?? now());
    for (const one of tried) {
      if (one.evaluate(signals).matchedRule === null) continue;
      if (isInside) one.inside += 1;
      else one.outside += 1;
      if (outcome === 'good') one.good += 1;
    }
  });
  const decisions = wave.allow + wave.block + wave.challenge;
  const results = tried.map(({ rule, inside, outside, good }) => ({
    rule: good + wave.confirmedGood > 0 ? withAction(rule, 'challenge') : rule,
    // Within the time of the wave, further matches are not the wave.
    stops: Math.min(inside, decisions),
    touches: outside + Math.max(0, inside - decisions),
    evaluated,
    isComplete,
  }));
  const most = Math.max(...results.map(({ stops }) => stops));
  const enough = results.filter(({ stops }) => stops >= most * enoughShare);
  const [best = { rule: direct, stops: 0, touches: 0, evaluated, isComplete }] = enough.toSorted(
    (one, other) => one.touches - other.touches,
  );
  return best;
}

/** The list of a draft as if it held the wave's network and nothing else. */
function draftLists(wave: ConfirmedWave): ListHandles {
  const list = listOfWave(wave);
  if (list === null) return new Map();
  const { kind, entry } = list;
  const bits = Number(entry.split('/')[1]);
  const has = (text: string): boolean => {
    if (kind === 'asn') return text === entry;
    const ip = parseIp(text);
    return ip !== null && (ip.version === 6) === entry.includes(':') && blockOf(ip, bits) === entry;
  };
  return new Map([[draftList, { listId: draftList, members: { kind, has } }]]);
}
