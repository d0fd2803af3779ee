import { type TSchema, Type } from 'typebox';
import { nullable, oneOf } from '../http/schema.ts';
import { actions } from './action.ts';
import { maxRules } from './gate-edits.ts';
import { presets } from './preset.ts';
import { matchModes, ruleModes } from './rule.ts';
import { maxConditions, maxNameLength, maxTextLength } from './validate-rule.ts';

const name = Type.String({ minLength: 1, maxLength: maxNameLength });
const text = nullable('string', { maxLength: maxTextLength });
const time = Type.String({ examples: ['2026-11-15T00:20:00+00:00'] });

const conditionSchema = Type.Object({
  field: Type.String({ description: 'A path of GET /v1/fields' }),
  operator: Type.String(),
  value: Type.Optional(
    Type.Unsafe<unknown>({ description: 'As the operator takes it; none with is_known and is_unknown' }),
  ),
});

const ruleFields = {
  name,
  description: text,
  message: text,
  match: oneOf(matchModes),
  action: oneOf(actions),
  stop: Type.Boolean({ description: 'A match is final: the rules below are not evaluated' }),
  enabled: Type.Boolean(),
  mode: oneOf(ruleModes, { description: 'shadow: evaluated and counted, never decides' }),
  conditions: Type.Array(conditionSchema, { minItems: 1, maxItems: maxConditions }),
};

const position = Type.Integer({ minimum: 0, description: '0-based; past the end appends' });

/** A rule as it is answered. */
export const ruleSchema = Type.Object({
  id: Type.String(),
  ...ruleFields,
  position,
  created_at: time,
  updated_at: time,
});

/** The body of a change of a rule. */
export const ruleChangeSchema = Type.Partial(Type.Object({ ...ruleFields, position }));

/** The body of a new rule. */
export const newRuleSchema = Type.Object({
  name,
  action: ruleFields.action,
  conditions: ruleFields.conditions,
  ...Type.Partial(
    Type.Object({
      description: text,
      message: text,
      match: ruleFields.match,
      stop: ruleFields.stop,
      enabled: ruleFields.enabled,
      mode: ruleFields.mode,
      position,
    }),
  ).properties,
});

const gateFields = { name, description: text, default_action: oneOf(actions) };

/** A gate as a list shows it. */
export const gateSummarySchema = Type.Object({
  id: Type.String(),
  ...gateFields,
  rules_count: Type.Integer({ minimum: 0, maximum: maxRules }),
  created_at: time,
  updated_at: time,
});

/** A gate read alone. */
export const gateSchema = Type.Object({ ...gateSummarySchema.properties, rules: Type.Array(ruleSchema) });

/** The body of a change of a gate. */
export const gateChangeSchema = Type.Partial(Type.Object(gateFields));

/** The body of a new gate. */
export const newGateSchema = Type.Object({
  name,
  ...Type.Partial(
    Type.Object({
      description: text,
      default_action: gateFields.default_action,
      preset: oneOf(presets, { default: 'signup' }),
    }),
  ).properties,
});

/** `{"data": …}`. */
export function dataOf(schema: TSchema): TSchema {
  return Type.Object({ data: schema });
}

/** A page of a list. */
export function pageOf(schema: TSchema): TSchema {
  return Type.Object({ data: Type.Array(schema), meta: Type.Object({ next_cursor: nullable('string') }) });
}
