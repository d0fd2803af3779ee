import {
  field,
  listOf,
  nested,
  time as plainTime,
  type WireFields,
  wireFrom,
  wireOf,
} from '../http/answers/wire-fields.ts';
import type { WireField } from '../http/answers/wire-object.ts';
import { schema } from '../input/schema.ts';
import type { Gate, GateSummary } from './gate.ts';
import { maxRules } from './gate-edits.ts';
import { gateFields } from './gate-input.ts';
import type { PlacedRule } from './gates.ts';
import type { Rule } from './rules/rule.ts';
import { positionInput, ruleFields } from './rules/rule-input.ts';

const time = <T>(value: (source: T) => number): WireField<T> =>
  plainTime(value, { examples: ['2026-11-15T00:20:00+00:00'] });

/** An author's text is answered as it was written. */
const written = (name: keyof typeof ruleFields & keyof Rule): WireField<PlacedRule> =>
  field(ruleFields[name].schema, ({ rule }) => rule[name]);

/** A rule and its place. */
export const ruleBody = wireOf<PlacedRule>({
  id: field(schema.string(), ({ rule }) => rule.id),
  ...Object.fromEntries(Object.keys(ruleFields).map((name) => [name, written(name as keyof typeof ruleFields)])),
  position: field(positionInput.schema, ({ position }) => position),
  created_at: time(({ rule }) => rule.createdAtMs),
  updated_at: time(({ rule }) => rule.updatedAtMs),
});

/** The rules of a gate in order. */
export const rulesBody = wireFrom(listOf(ruleBody), ({ rules }: Pick<Gate, 'rules'>) =>
  rules.map((rule, position) => ({ rule, position })),
);

/** The fields that a gate and its revisions share. */
export const gateStateFields = {
  name: field(gateFields.name.schema, ({ name }: Pick<Gate, 'name'>) => name),
  description: field(gateFields.description.schema, ({ description }: Pick<Gate, 'description'>) => description),
  default_action: field(
    gateFields.default_action.schema,
    ({ defaultAction }: Pick<Gate, 'defaultAction'>) => defaultAction,
  ),
  wait: field(gateFields.wait.schema, ({ wait }: Pick<Gate, 'wait'>) => wait),
  rules_count: field(
    schema.integer({ minimum: 0, maximum: maxRules }),
    ({ rulesCount }: Pick<GateSummary, 'rulesCount'>) => rulesCount,
  ),
};

export const gateSummaryFields: WireFields<GateSummary> = {
  id: field(schema.string(), ({ id }) => id),
  ...gateStateFields,
  created_at: time(({ createdAtMs }) => createdAtMs),
  updated_at: time(({ updatedAtMs }) => updatedAtMs),
};

/** A gate as a list shows it. */
export const gateSummaryBody = wireOf(gateSummaryFields);

/** A gate read alone, with its rules. */
export const gateBody = wireFrom(
  wireOf<GateSummary & Gate>({ ...gateSummaryFields, rules: nested(rulesBody, (gate) => gate) }),
  (gate: Gate) => ({ ...gate, rulesCount: gate.rules.length }),
);
