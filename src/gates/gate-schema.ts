import { type JsonSchema, nullable, oneOf, schema } from '../http/schema.ts';
import { maxRules } from './gate-edits.ts';
import { presets } from './preset.ts';
import { actions } from './rules/action.ts';
import { matchModes, ruleModes } from './rules/rule.ts';
import { maxConditions, maxNameLength, maxTextLength } from './rules/validate-rule.ts';

const name = schema.string({ minLength: 1, maxLength: maxNameLength });
const text = nullable('string', { maxLength: maxTextLength });
const time = schema.string({ examples: ['2026-11-15T00:20:00+00:00'] });

const conditionSchema = schema.object({
  field: schema.string({ description: 'A path of GET /v1/fields' }),
  operator: schema.string(),
  value: schema.optional({ description: 'As the operator takes it; none with is_known and is_unknown' }),
});

const ruleFields = {
  name,
  description: text,
  message: text,
  match: oneOf(matchModes),
  action: oneOf(actions),
  stop: schema.boolean({ description: 'A match is final: the rules below are not evaluated' }),
  enabled: schema.boolean(),
  mode: oneOf(ruleModes, { description: 'shadow: evaluated and counted, never decides' }),
  conditions: schema.array(conditionSchema, { minItems: 1, maxItems: maxConditions }),
};

const position = schema.integer({ minimum: 0, description: '0-based; past the end appends' });

/** A rule as it is answered. */
export const ruleSchema = schema.object({
  id: schema.string(),
  ...ruleFields,
  position,
  created_at: time,
  updated_at: time,
});

/** The body of a change of a rule. */
export const ruleChangeSchema = schema.object(schema.partial({ ...ruleFields, position }));

/** The body of a new rule. */
export const newRuleSchema = schema.object({
  name,
  action: ruleFields.action,
  conditions: ruleFields.conditions,
  ...schema.partial({
    description: text,
    message: text,
    match: ruleFields.match,
    stop: ruleFields.stop,
    enabled: ruleFields.enabled,
    mode: ruleFields.mode,
    position,
  }),
});

const gateFields = { name, description: text, default_action: oneOf(actions) };

const gateSummaryFields = {
  id: schema.string(),
  ...gateFields,
  rules_count: schema.integer({ minimum: 0, maximum: maxRules }),
  created_at: time,
  updated_at: time,
};

/** A gate as a list shows it. */
export const gateSummarySchema = schema.object(gateSummaryFields);

/** A gate read alone. */
export const gateSchema = schema.object({ ...gateSummaryFields, rules: schema.array(ruleSchema) });

/** The body of a change of a gate. */
export const gateChangeSchema = schema.object(schema.partial(gateFields));

/** The body of a new gate. */
export const newGateSchema = schema.object({
  name,
  ...schema.partial({
    description: text,
    default_action: gateFields.default_action,
    preset: oneOf(presets, { default: 'signup' }),
  }),
});

/** `{"data": …}`. */
export function dataOf(data: JsonSchema): JsonSchema {
  return schema.object({ data });
}

/** A page of a list. */
export function pageOf(item: JsonSchema): JsonSchema {
  return schema.object({ data: schema.array(item), meta: schema.object({ next_cursor: nullable('string') }) });
}
