import {
  field,
  listOf,
  nested,
  time as plainTime,
  same,
  timeOrNull,
  type WireFields,
  wireOf,
} from '../http/answers/wire-fields.ts';
import type { WireField } from '../http/answers/wire-object.ts';
import { schema } from '../input/schema.ts';
import type { ChosenRule } from './rule-choice.ts';
import {
  type AllowedDecision,
  reportedOutcomes,
  verdicts,
  type Wave,
  type WaveOutcomes,
  type WaveSample,
  type WaveSettings,
  waveStates,
} from './wave.ts';
import { waveKinds } from './wave-kind.ts';
import type { ProposedRule } from './wave-rule.ts';

const time = <T>(value: (source: T) => number): WireField<T> =>
  plainTime(value, { examples: ['2026-11-15T00:20:00+00:00'] });
const count = (description: string) => schema.integer({ minimum: 0, description });

const waveFields: WireFields<Wave> = {
  ...same<Wave>({
    id: schema.string(),
    kind: schema.oneOf(waveKinds, { description: 'What its addresses share' }),
    value: schema.string({
      description:
        "The mailbox as the log shows addresses, the first digits of the device's hash, the registrable domain, the mail server's registrable domain or host, the CIDR block or `AS…`, the shape (`aaaa999` is four letters and three digits), or `new domains`",
    }),
  }),
  slow: field(
    schema.boolean({ description: 'Its addresses arrived within a day rather than an hour' }),
    ({ isSlow }) => isSlow,
  ),
  stopped: field(
    schema.boolean({
      description: 'Every decision of the ten minutes before `last_at` was blocked or challenged',
    }),
    ({ isStopped }) => isStopped,
  ),
  state: field(schema.oneOf(waveStates), ({ endedAtMs }) => (endedAtMs === null ? 'open' : 'ended')),
  began_at: time(({ beganAtMs }) => beganAtMs),
  last_at: plainTime(({ lastAtMs }) => lastAtMs, { description: 'When its last new address arrived' }),
  ended_at: timeOrNull(({ endedAtMs }) => endedAtMs),
  ...same<Wave>({
    addresses: count('Distinct addresses; spellings for networks and mailboxes, domains for `new_domains`'),
    domains: count('Distinct registrable domains'),
    ips: count('Distinct IP addresses'),
    allow: count('Decisions with this action'),
    block: count('Decisions with this action'),
    challenge: count('Decisions with this action'),
  }),
  usual_per_hour: field(
    schema.number({ minimum: 0, description: 'Addresses per hour over the week before' }),
    ({ usualPerHour }) => usualPerHour,
  ),
  verdict: field(schema.nullable(schema.oneOf(verdicts)), ({ verdict }) => verdict),
  created_at: time(({ createdAtMs }) => createdAtMs),
};

/** A wave in lists and events. */
export const waveBody = wireOf(waveFields);

const emailSchema = schema.string({ description: 'Hashed if the log hashes addresses' });

/** A decision of a wave. */
export const sampleBody = wireOf<WaveSample>({
  decision_id: field(schema.string(), ({ decisionId }) => decisionId),
  ...same<WaveSample>({ email: emailSchema, ip: schema.nullable(schema.string()), action: schema.string() }),
  created_at: time(({ createdAtMs }) => createdAtMs),
});

/** An allowed decision with its outcome. */
export const allowedBody = wireOf<AllowedDecision>({
  decision_id: field(schema.string(), ({ decisionId }) => decisionId),
  gate_id: field(schema.string(), ({ gateId }) => gateId),
  ...same<AllowedDecision>({ email: emailSchema, ip: schema.nullable(schema.string()) }),
  created_at: time(({ createdAtMs }) => createdAtMs),
  ...same<AllowedDecision>({ outcome: schema.nullable(schema.oneOf(reportedOutcomes)) }),
});

type Report = Awaited<ReturnType<WaveOutcomes['report']>>;

/** The allowed decisions of a wave after a report. */
export const reportBody = wireOf<Report>({
  reported: field(count('Decisions whose outcome this has changed'), ({ reported }) => reported),
  decisions: nested(listOf(allowedBody), ({ decisions }) => decisions, {
    description: 'Its allowed decisions that the log still has, newest first, 10,000 at most',
  }),
});

const conditionSchema = schema.object({ field: schema.string(), operator: schema.string(), value: {} });

/** The rule that would have stopped a wave. */
const proposedRuleBody = wireOf<ProposedRule>(
  same<ProposedRule>({
    name: schema.string(),
    description: schema.nullable(schema.string()),
    message: schema.nullable(schema.string()),
    match: schema.oneOf(['all', 'any']),
    action: schema.oneOf(['allow', 'block', 'challenge']),
    conditions: schema.array(conditionSchema),
  }),
);

const ruleField = nested(proposedRuleBody, ({ rule }: { readonly rule: ProposedRule }) => rule, {
  description: 'A rule that would have stopped it, as `POST /v1/gates/{gate_id}/rules` accepts it',
});

/** A rule with what it would have done, and the gate to add it to. */
interface RuleForGate extends ChosenRule {
  readonly gateId: string | null;
}

export const chosenRuleBody = wireOf<RuleForGate>({
  rule: ruleField,
  ...same<RuleForGate>({
    stops: count('Decisions of the wave that it matches'),
    touches: count('Other decisions that it matches'),
    evaluated: count('Logged decisions that were evaluated'),
  }),
  complete: field(
    schema.boolean({ description: 'False when older decisions of the 30 days were left out' }),
    ({ isComplete }) => isComplete,
  ),
  gate_id: field(
    schema.nullable(
      schema.string({ description: 'The gate that let most of the wave in, or received most of it if none got in' }),
    ),
    ({ gateId }) => gateId,
  ),
});

/** A wave with some of its decisions, and the rule against it. */
interface WholeWave extends Wave {
  readonly decisions: readonly WaveSample[];
  readonly rule: ProposedRule;
}

/** A wave read alone. */
export const wholeWaveBody = wireOf<WholeWave>({
  ...waveFields,
  samples: nested(listOf(sampleBody), ({ decisions }) => decisions, { maxItems: 20 }),
  rule: ruleField,
});

/** Fields that a client may send back with a verdict. */
export const readOnlyFields: readonly string[] = [
  ...Object.keys(waveFields).filter((name) => name !== 'verdict'),
  'samples',
  'rule',
];

export const settingsBody = wireOf<WaveSettings>({
  enabled: field(schema.boolean(), ({ enabled }) => enabled),
  min_addresses: field(schema.integer(), ({ minAddresses }) => minAddresses),
  factor: field(schema.integer(), ({ factor }) => factor),
});
