import type { FieldErrors } from '../../errors.ts';
import { anything, described, type Input, into, refused } from '../../input/input.ts';
import { list } from '../../input/list.ts';
import { object, optional } from '../../input/object.ts';
import { createProblems } from '../../input/problems.ts';
import { text } from '../../input/scalar.ts';
import type { DecisionRequest } from '../decisions/decision.ts';
import { questionFields, questionOf } from '../decisions/decision-request.ts';
import type { SentRule } from '../gate-edits.ts';
import { asManyAsAGateHolds, sentRuleInput } from '../gate-rules-input.ts';
import type { Action } from '../rules/action.ts';
import { patternsOfRules } from '../rules/gate-patterns.ts';
import { actionInput } from '../rules/rule-input.ts';

/** Rules as an editor has them: some may be unfinished. */
export interface ProposedRules {
  readonly sent: readonly unknown[];
  /** Null for a refused rule. */
  readonly rules: readonly (SentRule | null)[];
  /** The problems of the refused rules, by path. */
  readonly problems: FieldErrors;
}

/** A request to trace new input or a past decision. */
export interface TraceRequest {
  readonly about: DecisionRequest | { readonly decisionId: string };
  /** Null takes the gate's own. */
  readonly proposed: ProposedRules | null;
  readonly defaultAction: Action | null;
}

const sentRules = list('The rules', anything, { limits: [asManyAsAGateHolds, patternsOfRules] });

/** Read one by one, so that a problem with one does not hide the others. */
const proposedRulesInput: Input<ProposedRules> = {
  schema: {
    ...list('The rules', sentRuleInput, { limits: [asManyAsAGateHolds] }).schema,
    description:
      "Evaluated instead of the gate's own rules. Invalid rules are listed in problems; the others are traced",
  },
  read(value, path, problems) {
    const sent = sentRules.read(value, path, problems);
    if (sent === refused) return refused;
    const found = createProblems();
    const rules = sent.map((rule, index) => {
      const read = sentRuleInput.read(rule, `${path}.${index}`, found);
      return read === refused ? null : read;
    });
    return { sent, rules, problems: found.toFieldErrors() };
  },
};

const decisionIdInput = described(text('The decision_id field'), {
  description: 'A logged decision of the gate, in place of email and domain',
});

export const traceInput: Input<TraceRequest> = into(
  object(
    {
      ...questionFields,
      ip: optional(described(questionFields.ip.input, { description: 'The address of the visitor' })),
      decision_id: optional(decisionIdInput),
      rules: optional(proposedRulesInput),
      default_action: optional(actionInput),
    },
    {
      together({ decision_id, email, domain, ip, device, wait }, report) {
        if (decision_id === undefined || [email, domain, ip, device, wait].every((sent) => (sent ?? null) === null))
          return;
        report('decision_id', 'A decision has its own subject: send decision_id alone, or email or domain without it.');
      },
    },
  ),
  ({ decision_id, rules = null, default_action = null, ...question }) => ({
    about: decision_id === undefined ? questionOf(question) : { decisionId: decision_id },
    proposed: rules,
    defaultAction: default_action,
  }),
);
