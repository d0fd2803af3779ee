import { described, type Input, into } from '../../input/input.ts';
import { object, optional } from '../../input/object.ts';
import { choice } from '../../input/scalar.ts';
import { checkSpan, type Span, spanFields, spanOf } from '../../input/span.ts';
import { rulesInput } from '../gate-rules-input.ts';
import type { Action } from '../rules/action.ts';
import type { RuleDraft } from '../rules/rule.ts';
import { actionInput } from '../rules/rule-input.ts';

const baselines = ['log', 'rules'] as const;
export type Baseline = (typeof baselines)[number];
/** Which changed decisions are examples: the newest, or the newest with an outcome. */
const exampleKinds = ['newest', 'labelled'] as const;

/** Rules to test on logged decisions. */
export interface BacktestRequest extends Span {
  readonly rules: readonly RuleDraft[];
  /** Null takes the gate's own. */
  readonly defaultAction: Action | null;
  /** The baseline of the comparison: the logged actions, or the decisions of the gate's current rules. */
  readonly against: Baseline;
  readonly examples?: (typeof exampleKinds)[number];
}

export const backtestInput: Input<BacktestRequest> = into(
  object(
    {
      rules: rulesInput,
      default_action: optional(actionInput),
      against: optional(choice('against', baselines)),
      examples: optional(
        described(choice('examples', exampleKinds), {
          description: 'labelled: up to 100 changed decisions with an outcome, in place of the 20 newest',
        }),
      ),
      ...spanFields,
    },
    { together: checkSpan },
  ),
  ({ rules, default_action = null, against = 'log', examples = 'newest', ...span }) => ({
    rules: rules.map(({ draft }) => draft),
    defaultAction: default_action,
    against,
    examples,
    ...spanOf(span),
  }),
);
