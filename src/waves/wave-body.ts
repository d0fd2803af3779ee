import {
  field,
  listOf,
  nested,
  nestedOrNull,
  time as plainTime,
  same,
  timeOrNull,
  type WireFields,
  wireOf,
} from '../http/answers/wire-fields.ts';
import type { WireField } from '../http/answers/wire-object.ts';
import { schema } from '../input/schema.ts';
import {
  type AllowedDecision,
  type Confirmed,
  reportedOutcomes,
  verdicts,
  type Wave,
  type WaveOutcomes,
  type WaveSample,
  type WaveSettings,
  waveStates,
} from './wave.ts';
import type { WaveAbout } from './wave-about.ts';
import type { Accepted, Draft, DraftEntry, DraftRule } from './wave-draft.ts';
import { waveKinds } from './wave-kind.ts';
import type { Stop } from './wave-stops.ts';
import type { Timeline, TimelineBar } from './wave-timeline.ts';

const time = <T>(value: (source: T) => number): WireField<T> =>
  plainTime(value, { examples: ['2026-11-15T00:20:00+00:00'] });
const count = (description: string) => schema.integer({ minimum: 0, description });

type ShownWave = Wave & Confirmed;

const waveFields: WireFields<ShownWave> = {
  ...same<ShownWave>({
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
  ...same<ShownWave>({
    addresses: count('Distinct addresses; spellings for networks and mailboxes, domains for `new_domains`'),
  }),
  confirmed_bad: field(count('Of these, reported as bad'), ({ confirmedBad }) => confirmedBad),
  confirmed_good: field(count('Of these, reported as good'), ({ confirmedGood }) => confirmedGood),
  ...same<ShownWave>({
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
const draftRuleBody = wireOf<DraftRule>(
  same<DraftRule>({
    name: schema.string(),
    description: schema.nullable(schema.string()),
    message: schema.nullable(schema.string()),
    match: schema.oneOf(['all', 'any']),
    action: schema.oneOf(['allow', 'block', 'challenge']),
    conditions: schema.array(conditionSchema),
  }),
);

const draftEntryBody = wireOf<DraftEntry>({
  list: field(
    schema.object({
      id: schema.nullable(schema.string({ description: 'Null: create the list, and put its id into the rule' })),
      name: schema.string(),
      kind: schema.oneOf(['ip', 'asn']),
    }),
    ({ list }) => list,
  ),
  ...same<DraftEntry>({ value: schema.string(), note: schema.string() }),
  expires_at: time(({ expiresAtMs }) => expiresAtMs),
});

interface Drafted {
  readonly rule: DraftRule | null;
  readonly entry: DraftEntry | null;
}

const draftFields: WireFields<Drafted> = {
  rule: nestedOrNull(draftRuleBody, ({ rule }: Drafted) => rule, {
    description:
      'A rule that would have stopped it, as `POST /v1/gates/{gate_id}/rules` accepts it; null when live rules stop it already, or `list_entry` suffices',
  }),
  list_entry: nestedOrNull(draftEntryBody, ({ entry }: Drafted) => entry, {
    description: 'The network to put on the list that the rule compares with; null for other kinds',
  }),
};

/** A draft, and the gate to add it to. */
interface DraftForGate extends Draft {
  readonly gateId: string | null;
}

const gateIdField = field<{ readonly gateId: string | null }>(
  schema.nullable(
    schema.string({ description: 'The gate that let most of the wave in, or received most of it if none got in' }),
  ),
  ({ gateId }) => gateId,
);

export const draftBody = wireOf<DraftForGate>({
  ...draftFields,
  ...same<DraftForGate>({
    stops: count('Decisions of the wave that it matches'),
    touches: count('Other decisions that it matches'),
    evaluated: count('Logged decisions that were evaluated'),
  }),
  complete: field(
    schema.boolean({ description: 'False when older decisions of the 30 days were left out' }),
    ({ isComplete }) => isComplete,
  ),
  gate_id: gateIdField,
});

/** The additions of an accepted draft. */
export const acceptedBody = wireOf<Accepted>({
  gate_id: field(schema.string(), ({ gateId }) => gateId),
  rule: field(
    schema.nullable(schema.object({ id: schema.string(), name: schema.string(), action: schema.string() }), {
      description: 'Null when the gate has a live rule that does it',
    }),
    ({ rule }) => rule && { id: rule.id, name: rule.name, action: rule.action },
  ),
  list_entry: nestedOrNull(draftEntryBody, ({ entry }) => entry, {
    description: 'Null for other kinds than networks, and when the list has it',
  }),
});

const stopBody = wireOf<Stop>({
  gate_id: field(schema.string(), ({ gateId }) => gateId),
  rule: field(
    schema.nullable(schema.object({ id: schema.string(), name: schema.string() }), {
      description: 'Null for the default action of the gate',
    }),
    ({ rule }) => rule,
  ),
  since: time(({ sinceMs }) => sinceMs),
  turned_away: field(count('Decisions of the wave that it blocked or challenged'), ({ turnedAway }) => turnedAway),
});

const text = schema.nullable(schema.string());
const flag = schema.nullable(schema.boolean());

const aboutBody = wireOf<WaveAbout>({
  ...same<WaveAbout>({ text: schema.string({ description: 'One sentence' }), owner: text }),
  asn: field(schema.nullable(schema.integer()), ({ asn }) => asn),
  country_code: field(text, ({ countryCode }) => countryCode),
  class: field(text, ({ networkType }) => networkType),
  age_days: field(schema.nullable(schema.integer()), ({ ageDays }) => ageDays),
  mail_servers: field(schema.nullable(schema.array(schema.string())), ({ mailServers }) => mailServers),
  relay: field(flag, ({ isRelay }) => isRelay),
  disposable: field(flag, ({ isDisposable }) => isDisposable),
  ...same<WaveAbout>({ domains: schema.array(schema.string()), example: text }),
});

/** A wave with some of its decisions, a description of its value, the rules that stop it, and the rule against it. */
export interface WholeWave extends Wave, Confirmed, Drafted {
  readonly decisions: readonly WaveSample[];
  readonly about: WaveAbout;
  readonly stops: readonly Stop[];
}

/** A wave read alone. */
export const wholeWaveBody = wireOf<WholeWave>({
  ...waveFields,
  about: nested(aboutBody, ({ about }) => about, {
    description:
      'What the value is, as its decisions saw it: of a network its owner, of a domain its age and mail servers',
  }),
  stopped_by: nested(listOf(stopBody), ({ stops }) => stops, {
    description: 'The rules that turned its decisions away, the one with the most first',
  }),
  samples: nested(listOf(sampleBody), ({ decisions }) => decisions, { maxItems: 20 }),
  ...draftFields,
});

const barBody = wireOf<TimelineBar>({
  at: time(({ atMs }) => atMs),
  ...same<TimelineBar>({
    allow: count('Decisions with this action'),
    block: count('Decisions with this action'),
    challenge: count('Decisions with this action'),
  }),
  in_window: field(
    count('Members within the last hour, of a slow wave within the last day'),
    ({ inWindow }) => inWindow,
  ),
});

/** How a wave went. */
export const timelineBody = wireOf<Timeline & { readonly threshold: number | null }>({
  interval_seconds: field(schema.integer(), ({ intervalMs }) => intervalMs / 1_000),
  threshold: field(
    schema.nullable(schema.integer({ description: 'The count of a window from which on it was a wave' })),
    ({ threshold }) => threshold,
  ),
  bars: nested(listOf(barBody), ({ bars }) => bars),
});

/** Fields that a client may send back with a verdict. */
export const readOnlyFields: readonly string[] = [
  ...Object.keys(waveFields).filter((name) => name !== 'verdict'),
  'about',
  'stopped_by',
  'samples',
  ...Object.keys(draftFields),
];

export const settingsBody = wireOf<WaveSettings>({
  enabled: field(schema.boolean(), ({ enabled }) => enabled),
  min_addresses: field(schema.integer(), ({ minAddresses }) => minAddresses),
  factor: field(schema.integer(), ({ factor }) => factor),
});
