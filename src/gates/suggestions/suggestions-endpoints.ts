import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataOf } from '../../http/page.ts';
import { type Input, into } from '../../input/input.ts';
import { object, optional } from '../../input/object.ts';
import { choice } from '../../input/scalar.ts';
import { schema } from '../../input/schema.ts';
import { checkSpan, type Span, spanFields, spanOf } from '../../input/span.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import { outcomeNames } from '../decisions/outcome.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import type { Action } from '../rules/action.ts';
import { ruleFields } from '../rules/rule-input.ts';
import { type Suggestion, type SuggestionsParts, suggestRules } from './suggestions.ts';

/** The log entries to derive rules from, and the action of the rules. */
export interface SuggestionsRequest extends Span {
  readonly action: Action;
}

/** A rule that allows stops nothing. */
const stoppingActions = ['block', 'challenge'] as const;

const suggestionsInput: Input<SuggestionsRequest> = into(
  object({ ...spanFields, action: optional(choice('The action', stoppingActions)) }, { together: checkSpan }),
  ({ action = 'block', ...span }) => ({ action, ...spanOf(span) }),
);

/** `POST /v1/gates/{gate_id}/suggestions`. An account's requests of this kind run one after the other. */
export function suggestionsEndpoint(
  parts: SuggestionsParts & {
    readonly gates: Pick<Gates, 'read'>;
    readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  },
): Endpoint {
  return endpoint({
    ...managed,
    method: 'POST',
    path: '/v1/gates/{gate_id}/suggestions',
    operationId: 'suggestRules',
    load: 'job',
    tool: {
      name: 'suggest_rules',
      access: 'read',
      guide: 'Report outcomes first. Try a suggested rule with backtest_rules before you add it.',
    },
    summary: 'Rules that would have stopped bad decisions, derived from reported outcomes; read-only',
    body: suggestionsInput,
    response: dataOf(schema.array(suggestionSchema, { maxItems: 5 })),
    errors: ['validation_failed', 'gate_not_found', 'too_few_outcomes', 'unsupported_media_type'],
    async handle({ params, body }, { caller }) {
      const { id } = await parts.gates.read(caller, params.gate_id);
      await parts.recorder.tryFlush();
      return { data: (await suggestRules(id, body, parts)).map(suggestionBody) };
    },
  });
}

function suggestionBody({ rule, stopsBad, stopsGood, stopsUnknown, examples }: Suggestion) {
  return {
    rule,
    stops_bad: stopsBad,
    stops_good: stopsGood,
    stops_unknown: stopsUnknown,
    examples: examples.map(({ id, input: { email, domain }, outcome }) => ({
      decision_id: id,
      ...(email === undefined ? { domain } : { email }),
      outcome: outcome?.outcome ?? null,
    })),
  };
}

const suggestionSchema = schema.object({
  rule: schema.object({
    name: ruleFields.name.schema,
    match: ruleFields.match.schema,
    action: ruleFields.action.schema,
    conditions: ruleFields.conditions.schema,
  }),
  stops_bad: schema.integer({ description: 'Allowed decisions with the outcome bad that the rule matches' }),
  stops_good: schema.integer({ description: 'Allowed decisions with the outcome good' }),
  stops_unknown: schema.integer({ description: 'Allowed decisions without an outcome, among the newest 100,000' }),
  examples: schema.array(
    schema.object({
      decision_id: schema.string(),
      email: schema.optional(schema.string()),
      domain: schema.optional(schema.string()),
      outcome: schema.nullable(schema.oneOf(outcomeNames)),
    }),
  ),
});
