import { AppError } from '../../errors.ts';
import { type Input, into } from '../../input/input.ts';
import { list } from '../../input/list.ts';
import { object, optional } from '../../input/object.ts';
import type { Limit } from '../../input/scalar.ts';
import { maxRules } from '../gate-edits.ts';
import type { Action } from '../rules/action.ts';
import { patternsOfRules } from '../rules/gate-patterns.ts';
import type { RuleDraft } from '../rules/rule.ts';
import { actionInput, proposedRuleInput } from '../rules/rule-input.ts';
import { checkSpan, type Span, spanFields, spanOf } from '../span.ts';

/** Rules to try over what was decided. */
export interface BacktestRequest extends Span {
  readonly rules: readonly RuleDraft[];
  /** Null takes the gate's own. */
  readonly defaultAction: Action | null;
}

const asManyAsAGateHolds: Limit<readonly unknown[]> = {
  schema: { maxItems: maxRules },
  isKept: ({ length }) => length <= maxRules,
  problem() {
    // Not one problem among others: it has a code of its own.
    throw new AppError('rule_limit_reached');
  },
};

/** The body of a backtest. */
export const backtestInput: Input<BacktestRequest> = into(
  object(
    {
      rules: list('The rules', proposedRuleInput, { limits: [asManyAsAGateHolds, patternsOfRules] }),
      default_action: optional(actionInput),
      ...spanFields,
    },
    { together: checkSpan },
  ),
  ({ rules, default_action = null, ...span }) => ({ rules, defaultAction: default_action, ...spanOf(span) }),
);
