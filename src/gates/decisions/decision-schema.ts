import { type JsonSchema, schema } from '../../input/schema.ts';
import type { Described } from '../../signals/signal.ts';
import { actions } from '../rules/action.ts';
import { type GateSignal, gateSignals, type SubjectName } from '../rules/signals.ts';

function valueSchema({ schema: wire, gates }: GateSignal<Described>): JsonSchema {
  if (wire.type === 'array') {
    return schema.nullable(wire, { description: 'Null means unknown; an empty list is known' });
  }
  return {
    type: gates.always ? wire.type : [wire.type, 'null'],
    ...(gates.note === undefined ? {} : { description: gates.note }),
  };
}

/** The signals of one subject; a name with dots is an object inside. */
function subjectProperties(signals: readonly (readonly [name: string, JsonSchema])[]): Record<string, JsonSchema> {
  const firsts = [...new Set(signals.map(([name]) => name.split('.')[0] ?? ''))];
  return Object.fromEntries(
    firsts.map((first) => {
      const whole = signals.find(([name]) => name === first)?.[1];
      const inner = signals.filter(([name]) => name.startsWith(`${first}.`));
      const below = inner.map(([name, value]) => [name.slice(first.length + 1), value] as const);
      return [first, whole ?? schema.object(subjectProperties(below))];
    }),
  );
}

const properties = (subject: SubjectName) =>
  subjectProperties(gateSignals[subject].map((signal) => [signal.gates.name, valueSchema(signal)]));

/** Everything that a decision is made from. */
export const signalsSchema = schema.object({
  email: schema.nullable(schema.object(properties('email')), { description: 'Null for a domain input' }),
  domain: schema.object(properties('domain')),
  ip: schema.nullable(schema.object(properties('ip')), { description: 'Null when no ip was sent' }),
});

/** What was asked about. */
export const inputSchema = schema.object({
  email: schema.optional(schema.string()),
  domain: schema.optional(schema.string()),
  ip: schema.optional(schema.string()),
});

/** The rule that decided. */
export const matchedRuleSchema = schema.nullable(
  schema.object({ id: schema.string(), name: schema.string(), message: schema.nullable(schema.string()) }),
  { description: 'Null when no rule matched and the default action applied' },
);

const answer = {
  input: inputSchema,
  decision: schema.object({
    action: schema.oneOf(actions),
    matched_rule: matchedRuleSchema,
  }),
  signals: signalsSchema,
  meta: schema.object({
    version: schema.string(),
    request_id: schema.string(),
    decision_id: schema.string(),
    duration_ms: schema.number(),
    created_at: schema.string(),
  }),
};

/** The answer of a decision. */
export const decisionSchema = schema.object(answer);

/** An entry of the decision log. */
export const logEntrySchema = schema.object({ id: schema.string(), ...answer });
