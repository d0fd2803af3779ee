import type { Condition } from '../gates/rules/condition.ts';
import { type Conditions, type Evidence, kindRows } from './kind-rows.ts';

/** A rule as `POST …/rules` accepts it, once its list exists. */
export interface ProposedRule {
  readonly name: string;
  readonly description: string | null;
  readonly message: string | null;
  readonly match: 'all';
  readonly action: 'block' | 'challenge';
  readonly conditions: readonly Condition[];
}

/** More domains than this are described by their common value. */
export const maxFewDomains = 10;

/** Rules against a wave, the most direct first. */
export function proposedRules(evidence: Evidence): readonly [ProposedRule, ...ProposedRule[]] {
  const { wave } = evidence;
  const { name, blocks, proposals } = kindRows[wave.kind];
  const began = new Date(wave.beganAtMs).toISOString().slice(0, 16).replace('T', ' ');
  const toRule = (conditions: Conditions): ProposedRule =>
    withAction(
      {
        name: name(wave),
        description: `${wave.addresses} addresses from ${began} UTC on`,
        message: null,
        match: 'all',
        action: 'challenge',
        conditions,
      },
      blocks ? 'block' : 'challenge',
    );
  const [first, ...others] = proposals(evidence);
  return [toRule(first), ...others.map(toRule)];
}

/** The rule with another action, and the message that fits it. */
export function withAction(rule: ProposedRule, action: ProposedRule['action']): ProposedRule {
  const message = action === 'block' ? 'This address is not accepted.' : 'Please confirm that you are a person.';
  return { ...rule, action, message };
}
