import type { Input } from '../input/input.ts';
import { type JsonSchema, schema } from '../input/schema.ts';
import { maxRules } from './gate-edits.ts';
import { gateFields } from './gate-input.ts';
import { positionInput, ruleFields } from './rules/rule-input.ts';

const time = schema.string({ examples: ['2026-11-15T00:20:00+00:00'] });

/** What an author writes is answered as it was written. */
function schemasOf(fields: Readonly<Record<string, Input<unknown>>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, input]) => [name, input.schema]));
}

/** A rule as it is answered. */
export const ruleSchema = schema.object({
  id: schema.string(),
  ...schemasOf(ruleFields),
  position: positionInput.schema,
  created_at: time,
  updated_at: time,
});

const gateSummaryFields = {
  id: schema.string(),
  ...schemasOf(gateFields),
  rules_count: schema.integer({ minimum: 0, maximum: maxRules }),
  created_at: time,
  updated_at: time,
};

/** What a revision has of a gate: in a list, and besides when it is read alone. */
export const revisionStateSchemas = {
  summary: {
    name: gateFields.name.schema,
    default_action: gateFields.default_action.schema,
    rules_count: gateSummaryFields.rules_count,
  },
  whole: { description: gateFields.description.schema, wait: gateFields.wait.schema, rules: schema.array(ruleSchema) },
};

/** A gate as a list shows it. */
export const gateSummarySchema = schema.object(gateSummaryFields);

/** A gate read alone. */
export const gateSchema = schema.object({ ...gateSummaryFields, rules: schema.array(ruleSchema) });
