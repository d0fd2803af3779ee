import { type Input, into } from '../../input/input.ts';
import { object, optional } from '../../input/object.ts';
import { choice } from '../../input/scalar.ts';
import { checkSpan, type Span, spanFields, spanOf } from '../../input/span.ts';
import type { Action } from '../rules/action.ts';

/** The log entries to derive rules from, and the action of the rules. */
export interface SuggestionsRequest extends Span {
  readonly action: Action;
}

/** A rule that allows stops nothing. */
const stoppingActions = ['block', 'challenge'] as const;

/** The body of a request for suggestions. */
export const suggestionsInput: Input<SuggestionsRequest> = into(
  object({ ...spanFields, action: optional(choice('The action', stoppingActions)) }, { together: checkSpan }),
  ({ action = 'block', ...span }) => ({ action, ...spanOf(span) }),
);
