import { field, listOf, nested, nestedOrNull, same, wireOf } from '../../http/answers/wire-fields.ts';
import { isPlainObject } from '../../input/json-value.ts';
import { schema } from '../../input/schema.ts';
import { inputSchema, signalsBody, tracedSignalsSchema } from '../decisions/decision-body.ts';
import { maxCountedSize } from '../regex/regex.ts';
import { type Action, actions } from '../rules/action.ts';
import { maxGateRegexEffort, regexCostOf } from '../rules/gate-patterns.ts';
import { type RuleMode, ruleModes } from '../rules/rule.ts';
import { type Outcome, outcomes, type TracedCondition, type TracedRule } from '../rules/trace.ts';
import type { GateTrace, TracedDraft } from './trace.ts';

const conditionBody = wireOf<TracedCondition>({
  field: field(schema.string(), ({ condition }) => condition.field),
  operator: field(schema.string(), ({ condition }) => condition.operator),
  ...same<TracedCondition>({
    holds: schema.nullable(schema.boolean({ description: 'Null if unknown' })),
    value: { description: 'The value of the field; null if unknown' },
    reason: schema.nullable(schema.string({ description: 'Why the value is unknown' })),
  }),
});

/** A traced rule, or one that was refused. */
interface ShownRule {
  readonly id: string | null;
  readonly name: string | null;
  readonly action: Action | null;
  readonly mode: RuleMode | null;
  readonly outcome: Outcome | 'invalid';
  readonly conditions: readonly TracedCondition[];
}

const ruleBody = wireOf<ShownRule>({
  ...same<ShownRule>({
    id: schema.nullable(schema.string()),
    name: schema.nullable(schema.string()),
    action: schema.nullable(schema.oneOf(actions)),
    mode: schema.nullable(schema.oneOf(ruleModes)),
    outcome: schema.oneOf([...outcomes, 'invalid']),
  }),
  conditions: nested(listOf(conditionBody), ({ conditions }) => conditions),
});

/** The traced rules, and those that were refused where they stand. */
function inPlace({ rules, proposed }: GateTrace): ShownRule[] {
  if (proposed === null) return rules.map(shownRule);
  const traced = rules.values();
  return proposed.rules.map((rule, index) => {
    const next = rule === null ? undefined : traced.next().value;
    return next === undefined ? refusedRule(proposed.sent[index]) : shownRule(next);
  });
}

function shownRule({ rule: { id, name, action, mode }, outcome, conditions }: TracedRule<TracedDraft>): ShownRule {
  return { id, name, action, mode, outcome, conditions };
}

function refusedRule(sent: unknown): ShownRule {
  const { id, name } = isPlainObject(sent) ? sent : {};
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return { id: textOf(id), name: textOf(name), action: null, mode: null, outcome: 'invalid', conditions: [] };
}

const matchedBody = wireOf<TracedDraft>(
  same<TracedDraft>({
    id: schema.nullable(schema.string()),
    name: schema.string(),
    message: schema.nullable(schema.string()),
  }),
);

type RegexCost = ReturnType<typeof regexCostOf>;
type PatternCost = RegexCost['patterns'][number];

const patternBody = wireOf<PatternCost>({
  ...same<PatternCost>({
    rule: schema.integer(),
    condition: schema.integer(),
    size: schema.integer({ description: 'An upper bound on the number of instructions it compiles to' }),
  }),
  limit: field(schema.integer({ description: 'For patterns with counted repetition' }), () => maxCountedSize),
});

const regexCostBody = wireOf<RegexCost>({
  total: field(
    schema.integer({ description: 'The cost of compiling the regular expressions of all rules' }),
    ({ total }) => total,
  ),
  limit: field(schema.integer(), () => maxGateRegexEffort),
  patterns: nested(listOf(patternBody), ({ patterns }) => patterns),
});

const problemsSchema = {
  ...schema.object({}, { description: 'Validation errors of the sent rules, by field' }),
  additionalProperties: schema.array(schema.string()),
};

/** The trace of a gate's decision. */
export const traceBody = wireOf<GateTrace>({
  input: field(inputSchema, ({ input }) => input),
  revision: field(
    schema.nullable(
      schema.integer({
        description: 'The revision of the rules; null if it is unknown or the request sent the rules',
      }),
    ),
    ({ revision }) => revision,
  ),
  signals: field(tracedSignalsSchema, ({ signals, showsTraffic }) => signalsBody.body(signals, showsTraffic)),
  action: field(schema.oneOf(actions), ({ action }) => action),
  matched_rule: nestedOrNull(matchedBody, ({ matchedRule }) => matchedRule, {
    description: 'Null when no rule matched and the default action applied',
  }),
  rules: nested(listOf(ruleBody), inPlace),
  problems: field(problemsSchema, ({ proposed }) => proposed?.problems ?? {}),
  regex_cost: nested(regexCostBody, ({ proposed, rules }) =>
    regexCostOf(proposed?.sent ?? rules.map(({ rule }) => rule)),
  ),
});
