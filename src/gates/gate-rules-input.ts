import { AppError } from '../errors.ts';
import { described, type Input, into } from '../input/input.ts';
import { list } from '../input/list.ts';
import { object, optional } from '../input/object.ts';
import { type Limit, text } from '../input/scalar.ts';
import { maxRules, type SentRule } from './gate-edits.ts';
import { draftFields, notAnObject } from './rules/rule-input.ts';

/** Rejects more rules than a gate may have. */
export const asManyAsAGateHolds: Limit<readonly unknown[]> = {
  schema: { maxItems: maxRules },
  holds: ({ length }) => length <= maxRules,
  problem() {
    // Reported alone: it has its own error code.
    throw new AppError('rule_limit_reached');
  },
};

const idInput = described(text('The id'), { description: 'The rule of the gate with this id is kept and changed' });

/** A rule of a gate or a new one, as it is sent. */
export const sentRuleInput: Input<SentRule> = into(
  object(
    { ...draftFields, id: optional(idInput) },
    { notAnObject, readOnly: ['position', 'created_at', 'updated_at'] },
  ),
  ({ id = null, ...draft }) => ({ id, draft }),
);

/** All rules of a gate in order; those that were read may be sent as they are. */
export const rulesInput: Input<readonly SentRule[]> = list('The rules', sentRuleInput, {
  limits: [asManyAsAGateHolds],
});
