import type { WireFields } from '../../http/answers/wire-fields.ts';
import { type WireObject, type WireProperty, wireObject } from '../../http/answers/wire-object.ts';
import { wireTime } from '../../http/wire-time.ts';
import { type JsonSchema, schema } from '../../input/schema.ts';
import type { Described } from '../../signals/signal.ts';
import { type Naming, sayings } from '../../signals/sources.ts';
import { type TrafficKey, trafficKeys } from '../../signals/traffic-signals.ts';
import type { SignalValue } from '../../signals/value-schema.ts';
import { actions } from '../rules/action.ts';
import { type DecisionSignals, type GateSignal, gateSignals, type SubjectName, type Values } from '../rules/signals.ts';
import type { DecidingRule, Decision } from './decision.ts';
import { oncePer } from './once-per.ts';
import { type Outcome, outcomeNames } from './outcome.ts';

/** A decision as its response and its log entry show it. */
export type ShownDecision = Pick<
  Decision,
  | 'id'
  | 'requestId'
  | 'version'
  | 'createdAtMs'
  | 'durationMs'
  | 'input'
  | 'action'
  | 'matchedRule'
  | 'signals'
  | 'showsTraffic'
>;

function valueSchema(
  { schema: wire, gates }: GateSignal<Described>,
  isAlwaysKnown: boolean = gates.always === true,
): JsonSchema {
  if (wire.type === 'array')
    return schema.nullable(wire, { description: 'Null means unknown; an empty list is known' });
  return {
    type: isAlwaysKnown ? wire.type : [wire.type, 'null'],
    ...(gates.note === undefined ? {} : { description: gates.note }),
  };
}

/** As `JSON.stringify`, which takes several times as long for values that need no quotes. */
function valueText(value: SignalValue | null): string {
  return value === null || typeof value === 'boolean' || typeof value === 'number' ? `${value}` : JSON.stringify(value);
}

function subjectObject(subject: SubjectName, isAlwaysKnown?: false): WireObject<Values> {
  const properties = gateSignals[subject].map((signal, place) => ({
    path: signal.gates.name,
    schema: valueSchema(signal, isAlwaysKnown),
    value: (values: Values) => values[place] ?? null,
    place,
  }));
  return wireObject(properties, ({ place }, values: Values) => valueText(values[place] ?? null));
}

const email = subjectObject('email');
const domain = subjectObject('domain');
const ip = subjectObject('ip');
/** Most of a response is its domain's signals, which are one object until something about the domain changes. */
const domainText = oncePer(domain.text);

/** The counts by one key; null while none of them is known, except the counts of the address and its domain. */
function countsObject(key: TrafficKey): WireProperty<Values> {
  const places = gateSignals.traffic.flatMap(({ gates }, place) => (gates.name.startsWith(`${key}.`) ? [place] : []));
  const properties = places.map((place) => ({
    path: gateSignals.traffic[place]?.gates.name.slice(key.length + 1) ?? '',
    schema: schema.nullable(schema.integer()),
    value: (values: Values) => values[place] ?? null,
  }));
  const counts = wireObject<Values>(properties);
  const isAlways = key === 'address' || key === 'domain';
  const isKnown = (values: Values): boolean => isAlways || places.some((place) => (values[place] ?? null) !== null);
  return {
    path: key,
    schema: isAlways ? counts.schema : schema.nullable(counts.schema, { description: 'Null while unknown' }),
    value: (values) => (isKnown(values) ? counts.body(values) : null),
  };
}

/** A value beside the counts. */
function trafficProperty(name: 'in_wave' | 'wave_id', valueSchemaOf: JsonSchema): WireProperty<Values> {
  const place = gateSignals.traffic.findIndex(({ gates }) => gates.name === name);
  return { path: name, schema: valueSchemaOf, value: (values) => values[place] ?? null };
}

const traffic = wireObject<Values>([
  ...trafficKeys.map(countsObject),
  trafficProperty(
    'in_wave',
    schema.nullable(schema.boolean(), { description: 'Whether it belongs to an open wave that is not judged fine' }),
  ),
  trafficProperty('wave_id', schema.nullable(schema.string(), { description: 'The wave that it belongs to' })),
]);

const subjectProperties: readonly WireProperty<DecisionSignals>[] = [
  {
    path: 'email',
    schema: schema.nullable(email.schema, { description: 'Null if the input was a domain' }),
    value: (all) => (all.email === null ? null : email.body(all.email)),
    text: (all) => (all.email === null ? 'null' : email.text(all.email)),
  },
  {
    path: 'domain',
    schema: domain.schema,
    value: (all) => domain.body(all.domain),
    text: (all) => domainText(all.domain),
  },
  {
    path: 'ip',
    schema: schema.nullable(ip.schema, { description: 'Null when no ip was sent' }),
    value: (all) => (all.ip === null ? null : ip.body(all.ip)),
    text: (all) => (all.ip === null ? 'null' : ip.text(all.ip)),
  },
];

const withoutTraffic = wireObject<DecisionSignals>(subjectProperties);
const withTraffic = wireObject<DecisionSignals>([
  ...subjectProperties,
  {
    path: 'traffic',
    schema: schema.nullable(traffic.schema),
    value: (all) => (all.traffic ? traffic.body(all.traffic) : null),
    text: (all) => (all.traffic ? traffic.text(all.traffic) : 'null'),
  },
]);

function signalsSchema(emailSchema: JsonSchema, ipSchema: JsonSchema): JsonSchema {
  return schema.object({
    email: schema.nullable(emailSchema, { description: 'Null if the input was a domain' }),
    domain: domain.schema,
    ip: schema.nullable(ipSchema, { description: 'Null when no ip was sent' }),
    traffic: schema.optional(
      schema.nullable(traffic.schema, {
        description:
          'Counts of your own decisions, this one included. Only present if an enabled rule uses one of them',
      }),
    ),
  });
}

/** The inputs of a decision; traffic only where a rule uses it. */
export const signalsBody = {
  schema: signalsSchema(email.schema, ip.schema),
  body: (signals: DecisionSignals, showsTraffic: boolean) =>
    (showsTraffic ? withTraffic : withoutTraffic).body(signals),
  text: (signals: DecisionSignals, showsTraffic: boolean) =>
    (showsTraffic ? withTraffic : withoutTraffic).text(signals),
};

/** The signals of a trace: the log may have kept hashes of an email or IP address, which no rule can see. */
export const tracedSignalsSchema = signalsSchema(
  subjectObject('email', false).schema,
  subjectObject('ip', false).schema,
);

/** The input, as it was sent. */
export const inputSchema = schema.object({
  email: schema.optional(schema.string()),
  domain: schema.optional(schema.string()),
  ip: schema.optional(schema.string()),
});

const matchedRule = wireObject<DecidingRule>([
  { path: 'id', schema: schema.string(), value: (rule) => rule.id, text: (rule) => `"${rule.id}"` },
  { path: 'name', schema: schema.string(), value: (rule) => rule.name },
  {
    path: 'message',
    schema: schema.nullable(schema.string()),
    value: (rule) => rule.message,
    text: (rule) => valueText(rule.message),
  },
]);

/** The rule that decided. */
export const matchedRuleSchema = schema.nullable(matchedRule.schema, {
  description: 'Null when no rule matched and the default action applied',
});

/** Text that needs no escapes. */
const quoted = (path: string, value: (decision: ShownDecision) => string): WireProperty<ShownDecision> => ({
  path,
  schema: schema.string(),
  value,
  text: (decision) => `"${value(decision)}"`,
});

const properties: readonly WireProperty<ShownDecision>[] = [
  { path: 'input', schema: inputSchema, value: (decision) => decision.input },
  { ...quoted('decision.action', (decision) => decision.action), schema: schema.oneOf(actions) },
  {
    path: 'decision.matched_rule',
    schema: matchedRuleSchema,
    value: (decision) => (decision.matchedRule === null ? null : matchedRule.body(decision.matchedRule)),
    text: (decision) => (decision.matchedRule === null ? 'null' : matchedRule.text(decision.matchedRule)),
  },
  {
    path: 'signals',
    schema: signalsBody.schema,
    value: ({ signals, showsTraffic }) => signalsBody.body(signals, showsTraffic),
    text: ({ signals, showsTraffic }) => signalsBody.text(signals, showsTraffic),
  },
  quoted('meta.version', (decision) => decision.version),
  quoted('meta.request_id', (decision) => decision.requestId),
  quoted('meta.decision_id', (decision) => decision.id),
  {
    path: 'meta.duration_ms',
    schema: schema.number(),
    value: (decision) => decision.durationMs,
    text: (decision) => `${decision.durationMs}`,
  },
  quoted('meta.created_at', (decision) => wireTime(decision.createdAtMs)),
];

/** The response to a request for a decision. */
export const decisionBody = wireObject<ShownDecision>(properties);

/** A decision with its outcome. */
export interface ShownEntry extends ShownDecision {
  readonly outcome: Outcome | null;
}

const naming = wireObject<Naming>([
  { path: 'source', schema: schema.string(), value: ({ source }) => source },
  { path: 'says', schema: schema.oneOf(sayings), value: ({ says }) => says },
  { path: 'entry', schema: schema.string(), value: ({ entry }) => entry },
  { path: 'date', schema: schema.nullable(schema.string()), value: ({ date }) => date },
]);

/** The list sources that named a domain; null where they were not logged. */
export const namingsBody = (namedBy: readonly Naming[] | null) => namedBy?.map(naming.body) ?? null;

export const namedBySchema = schema.nullable(schema.array(naming.schema), {
  description:
    'The list sources that named the domain at that moment, with the entry that matched (the domain or one above it) and the date of their edition. `operator` means your own entries. Null for decisions of version 0.1.0',
});

/** The outcome in a log entry. */
export const outcomeSchemas = {
  outcome: schema.nullable(schema.oneOf(outcomeNames), { description: 'Null if none was reported' }),
  outcome_reason: schema.nullable(schema.string()),
};

/** The visitor's device in a log entry. */
export const deviceSchema = schema.nullable(schema.string(), {
  description: 'The first 12 hexadecimal digits of the keyed hash of `device`; null if none was sent',
});

/** The hook in a log entry. */
export const hookSchema = schema.nullable(schema.string(), {
  description: 'The hook that asked; null for a client with a key',
});

const entryProperties: readonly WireProperty<ShownEntry>[] = [
  quoted('id', (decision) => decision.id),
  ...properties,
  { path: 'outcome', schema: outcomeSchemas.outcome, value: ({ outcome }) => outcome?.outcome ?? null },
  { path: 'outcome_reason', schema: outcomeSchemas.outcome_reason, value: ({ outcome }) => outcome?.reason ?? null },
];

/** The fields of an entry of the decision log: the response with its id beside it, and its outcome. */
export const logEntryFields: WireFields<ShownEntry> = Object.fromEntries(
  entryProperties.map(({ path, ...field }) => [path, field]),
);

/** An entry of the decision log. */
export const logEntry = wireObject<ShownEntry>(entryProperties);

/** The signals of one subject. */
export const subjectBodies: Readonly<Record<Exclude<SubjectName, 'traffic'>, WireObject<Values>>> = {
  email,
  domain,
  ip,
};
