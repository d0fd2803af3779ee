import { isPlainObject } from '../../input/json-value.ts';
import { schema } from '../../input/schema.ts';
import { inputSchema, signalsBody, tracedSignalsSchema } from '../decisions/decision-body.ts';
import { maxCountedSize } from '../regex/regex.ts';
import { actions } from '../rules/action.ts';
import { maxGateRegexEffort, regexCostOf } from '../rules/gate-patterns.ts';
import { ruleModes } from '../rules/rule.ts';
import { outcomes, type TracedCondition, type TracedRule } from '../rules/trace.ts';
import type { GateTrace, TracedDraft } from './trace.ts';

export function traceBody(trace: GateTrace) {
  const { input, revision, signals, showsTraffic, action, matchedRule, proposed } = trace;
  const { total, patterns } = regexCostOf(proposed?.sent ?? trace.rules.map(({ rule }) => rule));
  return {
    input,
    revision,
    signals: signalsBody.body(signals, showsTraffic),
    action,
    matched_rule:
      matchedRule === null ? null : { id: matchedRule.id, name: matchedRule.name, message: matchedRule.message },
    rules: inPlace(trace),
    problems: proposed?.problems ?? {},
    regex_cost: {
      total,
      limit: maxGateRegexEffort,
      patterns: patterns.map((pattern) => ({ ...pattern, limit: maxCountedSize })),
    },
  };
}

/** The traced rules, and those that were refused where they stand. */
function inPlace({ rules, proposed }: GateTrace) {
  if (proposed === null) return rules.map(ruleBody);
  const traced = rules.values();
  return proposed.rules.map((rule, index) => {
    const next = rule === null ? undefined : traced.next().value;
    return next === undefined ? refusedBody(proposed.sent[index]) : ruleBody(next);
  });
}

function ruleBody({ rule, outcome, conditions }: TracedRule<TracedDraft>) {
  const { id, name, action, mode } = rule;
  return { id, name, action, mode, outcome, conditions: conditions.map(conditionBody) };
}

function conditionBody({ condition: { field, operator }, holds, value, reason }: TracedCondition) {
  return { field, operator, holds, value, reason };
}

function refusedBody(sent: unknown) {
  const { id, name } = isPlainObject(sent) ? sent : {};
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return { id: textOf(id), name: textOf(name), action: null, mode: null, outcome: 'invalid', conditions: [] };
}

export const traceSchema = schema.object({
  input: inputSchema,
  revision: schema.nullable(
    schema.integer({
      description: 'The revision of the rules; null if it is unknown or the request sent the rules',
    }),
  ),
  signals: tracedSignalsSchema,
  action: schema.oneOf(actions),
  matched_rule: schema.nullable(
    schema.object({
      id: schema.nullable(schema.string()),
      name: schema.string(),
      message: schema.nullable(schema.string()),
    }),
    { description: 'Null when no rule matched and the default action applied' },
  ),
  rules: schema.array(
    schema.object({
      id: schema.nullable(schema.string()),
      name: schema.nullable(schema.string()),
      action: schema.nullable(schema.oneOf(actions)),
      mode: schema.nullable(schema.oneOf(ruleModes)),
      outcome: schema.oneOf([...outcomes, 'invalid']),
      conditions: schema.array(
        schema.object({
          field: schema.string(),
          operator: schema.string(),
          holds: schema.nullable(schema.boolean({ description: 'Null if unknown' })),
          value: { description: 'The value of the field; null if unknown' },
          reason: schema.nullable(schema.string({ description: 'Why the value is unknown' })),
        }),
      ),
    }),
  ),
  problems: {
    ...schema.object({}, { description: 'Validation errors of the sent rules, by field' }),
    additionalProperties: schema.array(schema.string()),
  },
  regex_cost: schema.object({
    total: schema.integer({ description: 'The cost of compiling the regular expressions of all rules' }),
    limit: schema.integer(),
    patterns: schema.array(
      schema.object({
        rule: schema.integer(),
        condition: schema.integer(),
        size: schema.integer({ description: 'An upper bound on the number of instructions it compiles to' }),
        limit: schema.integer({ description: 'For patterns with counted repetition' }),
      }),
    ),
  }),
});
