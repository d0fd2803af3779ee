import { type Input, into } from '../../input/input.ts';
import { object, optional } from '../../input/object.ts';
import { rulesInput } from '../gate-rules-input.ts';
import type { Action } from '../rules/action.ts';
import type { RuleDraft } from '../rules/rule.ts';
import { actionInput } from '../rules/rule-input.ts';
import { checkSpan, type Span, spanFields, spanOf } from '../span.ts';

/** Rules to try over what was decided. */
export interface BacktestRequest extends Span {
  readonly rules: readonly RuleDraft[];
  /** Null takes the gate's own. */
  readonly defaultAction: Action | null;
}

/** The body of a backtest. */
export const backtestInput: Input<BacktestRequest> = into(
  object(
    {
      rules: rulesInput,
      default_action: optional(actionInput),
      ...spanFields,
    },
    { together: checkSpan },
  ),
  ({ rules, default_action = null, ...span }) => ({
    rules: rules.map(({ draft }) => draft),
    defaultAction: default_action,
    ...spanOf(span),
  }),
);
