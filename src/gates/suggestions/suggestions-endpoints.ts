import {
  dataOf,
  field,
  listOf,
  nested,
  optional as optionalField,
  same,
  wireOf,
} from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
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
import type { Suggestion, SuggestRules } from './suggestions.ts';

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

type Example = Suggestion['examples'][number];

const exampleBody = wireOf<Example>({
  decision_id: field(schema.string(), ({ id }) => id),
  email: optionalField(field(schema.string(), ({ input }) => input.email)),
  domain: optionalField(
    field(schema.string(), ({ input: { email, domain } }) => (email === undefined ? domain : undefined)),
  ),
  outcome: field(schema.nullable(schema.oneOf(outcomeNames)), ({ outcome }) => outcome?.outcome ?? null),
});

type SuggestedRule = Suggestion['rule'];

const ruleBody = wireOf<SuggestedRule>(
  same<SuggestedRule>({
    name: ruleFields.name.schema,
    match: ruleFields.match.schema,
    action: ruleFields.action.schema,
    conditions: ruleFields.conditions.schema,
  }),
);

const suggestionBody = wireOf<Suggestion>({
  rule: nested(ruleBody, ({ rule }) => rule),
  stops_bad: field(
    schema.integer({ description: 'Allowed decisions with the outcome bad that the rule matches' }),
    ({ stopsBad }) => stopsBad,
  ),
  stops_good: field(
    schema.integer({ description: 'Allowed decisions with the outcome good' }),
    ({ stopsGood }) => stopsGood,
  ),
  stops_unknown: field(
    schema.integer({
      description:
        'Allowed decisions without an outcome. Of the newest 100,000 allowed decisions; beyond 8,000 of a kind the counts are estimated from a sample',
    }),
    ({ stopsUnknown }) => stopsUnknown,
  ),
  examples: nested(listOf(exampleBody), ({ examples }) => examples),
});

/** `POST /v1/gates/{gate_id}/suggestions`. An account's requests of this kind run one after the other. */
export function suggestionsEndpoint(
  gates: Pick<Gates, 'read'>,
  recorder: Pick<DecisionRecorder, 'tryFlush'>,
  suggestRules: SuggestRules,
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
    response: dataOf(listOf(suggestionBody, { maxItems: 5 })),
    errors: ['validation_failed', 'gate_not_found', 'too_few_outcomes', 'unsupported_media_type'],
    async handle({ params, body }, { caller }) {
      const { id } = await gates.read(caller, params.gate_id);
      await recorder.tryFlush();
      return suggestRules(id, body);
    },
  });
}
