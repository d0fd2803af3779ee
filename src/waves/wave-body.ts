import { wireTime } from '../http/wire-time.ts';
import { schema } from '../input/schema.ts';
import type { ChosenRule } from './rule-choice.ts';
import {
  type AllowedDecision,
  reportedOutcomes,
  type Verdict,
  verdicts,
  type Wave,
  type WaveSample,
  type WaveSettings,
  waveStates,
} from './wave.ts';
import { waveKinds } from './wave-kind.ts';
import type { ProposedRule } from './wave-rule.ts';

const time = schema.string({ examples: ['2026-11-15T00:20:00+00:00'] });
const count = (description: string) => schema.integer({ minimum: 0, description });

const waveFields = {
  id: schema.string(),
  kind: schema.oneOf(waveKinds, { description: 'What its addresses share' }),
  value: schema.string({
    description:
      "The mailbox as the log shows addresses, the first digits of the device's hash, the registrable domain, the mail server's registrable domain or host, the CIDR block or `AS…`, the shape (`aaaa999` is four letters and three digits), or `new domains`",
  }),
  slow: schema.boolean({ description: 'Its addresses arrived within a day rather than an hour' }),
  stopped: schema.boolean({
    description: 'Every decision of the ten minutes before `last_at` was blocked or challenged',
  }),
  state: schema.oneOf(waveStates),
  began_at: time,
  last_at: schema.string({ description: 'When its last new address arrived' }),
  ended_at: schema.nullable(schema.string()),
  addresses: count('Distinct addresses; spellings for networks and mailboxes, domains for `new_domains`'),
  domains: count('Distinct registrable domains'),
  ips: count('Distinct IP addresses'),
  allow: count('Decisions with this action'),
  block: count('Decisions with this action'),
  challenge: count('Decisions with this action'),
  usual_per_hour: schema.number({ minimum: 0, description: 'Addresses per hour over the week before' }),
  verdict: schema.nullable(schema.oneOf(verdicts)),
  created_at: time,
};

/** A wave in lists and events. */
export const waveSchema = schema.object(waveFields);

const sampleSchema = schema.object({
  decision_id: schema.string(),
  email: schema.string({ description: 'Hashed if the log hashes addresses' }),
  ip: schema.nullable(schema.string()),
  action: schema.string(),
  created_at: time,
});

/** The allowed decisions of a wave after a report. */
export const reportSchema = schema.object({
  reported: count('Decisions whose outcome this has changed'),
  decisions: schema.array(
    schema.object({
      decision_id: schema.string(),
      gate_id: schema.string(),
      email: schema.string({ description: 'Hashed if the log hashes addresses' }),
      ip: schema.nullable(schema.string()),
      created_at: time,
      outcome: schema.nullable(schema.oneOf(reportedOutcomes)),
    }),
    { description: 'Its allowed decisions that the log still has, newest first, 10,000 at most' },
  ),
});

/** The rule that would have stopped a wave. */
export const proposedRuleSchema = schema.object(
  {
    name: schema.string(),
    description: schema.nullable(schema.string()),
    message: schema.nullable(schema.string()),
    match: schema.oneOf(['all', 'any']),
    action: schema.oneOf(['allow', 'block', 'challenge']),
    conditions: schema.array(schema.object({ field: schema.string(), operator: schema.string(), value: {} })),
  },
  { description: 'A rule that would have stopped it, as `POST /v1/gates/{gate_id}/rules` accepts it' },
);

/** The rule with what it would have done. */
export const chosenRuleSchema = schema.object({
  rule: proposedRuleSchema,
  stops: count('Decisions of the wave that it matches'),
  touches: count('Other decisions that it matches'),
  evaluated: count('Logged decisions that were evaluated'),
  complete: schema.boolean({ description: 'False when older decisions of the 30 days were left out' }),
  gate_id: schema.nullable(
    schema.string({ description: 'The gate that let most of the wave in, or received most of it if none got in' }),
  ),
});

export function chosenRuleBody({ isComplete, ...chosen }: ChosenRule, gateId: string | null) {
  return { ...chosen, complete: isComplete, gate_id: gateId };
}

/** A wave read alone. */
export const waveWithSamplesSchema = schema.object({
  ...waveFields,
  samples: schema.array(sampleSchema, { maxItems: 20 }),
  rule: proposedRuleSchema,
});

/** Fields that a client may send back with a verdict. */
export const readOnlyFields: readonly string[] = [
  ...Object.keys(waveFields).filter((name) => name !== 'verdict'),
  'samples',
  'rule',
];

/** A wave as lists and events have it. */
export function waveBody(wave: Wave) {
  return {
    id: wave.id,
    kind: wave.kind,
    value: wave.value,
    slow: wave.isSlow,
    stopped: wave.isStopped,
    state: wave.endedAtMs === null ? ('open' as const) : ('ended' as const),
    began_at: wireTime(wave.beganAtMs),
    last_at: wireTime(wave.lastAtMs),
    ended_at: wave.endedAtMs === null ? null : wireTime(wave.endedAtMs),
    addresses: wave.addresses,
    domains: wave.domains,
    ips: wave.ips,
    allow: wave.allow,
    block: wave.block,
    challenge: wave.challenge,
    usual_per_hour: wave.usualPerHour,
    verdict: wave.verdict as Verdict | null,
    created_at: wireTime(wave.createdAtMs),
  };
}

/** A wave read alone. */
export function waveWithSamplesBody(wave: Wave, samples: readonly WaveSample[], rule: ProposedRule) {
  return { ...waveBody(wave), samples: samples.map(sampleBody), rule };
}

export function sampleBody({ decisionId, email, ip, action, createdAtMs }: WaveSample) {
  return { decision_id: decisionId, email, ip, action, created_at: wireTime(createdAtMs) };
}

export function allowedBody({ decisionId, gateId, email, ip, createdAtMs, outcome }: AllowedDecision) {
  return { decision_id: decisionId, gate_id: gateId, email, ip, created_at: wireTime(createdAtMs), outcome };
}

export const settingsSchema = schema.object({
  enabled: schema.boolean(),
  min_addresses: schema.integer(),
  factor: schema.integer(),
});

export function settingsBody({ enabled, minAddresses, factor }: WaveSettings) {
  return { enabled, min_addresses: minAddresses, factor };
}
