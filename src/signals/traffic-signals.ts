import type { Described } from './signal.ts';

/** The subjects that traffic is counted by; a decision's response has an object for each. */
export const trafficKeys = ['address', 'domain', 'mail_server', 'ip', 'network', 'device'] as const;
export type TrafficKey = (typeof trafficKeys)[number];

/** The counts of a decision, and the windows of each. */
export type TrafficCount =
  | 'decisions'
  | 'spellings'
  | 'domain'
  | 'mailServer'
  | 'mailServerDomains'
  | 'ip'
  | 'network'
  | 'device';

/** Where a value comes from. */
export type TrafficSource =
  | { readonly count: TrafficCount; readonly window: 'hour' | 'day' }
  | 'firstSeenDays'
  | 'inWave'
  | 'waveId';

/** One value of an environment's own decisions; only Gates reads it. */
export type TrafficSignal = Described & {
  readonly gates: { readonly name: string; readonly isHidden?: true };
  readonly source: TrafficSource;
};

const windows = {
  hour: ['1h', 'the last hour'],
  day: ['24h', 'the last 24 hours'],
} as const;

function counted(
  key: TrafficKey,
  name: string,
  [label, about]: readonly [string, string],
  source: Exclude<TrafficSource, string>,
): TrafficSignal {
  const [suffix, span] = windows[source.window];
  return {
    subject: 'traffic',
    schema: { type: 'integer', minimum: 0, maximum: 10_000 },
    about: `${about} in ${span}.`,
    label: `${label} in ${span}`,
    group: 'traffic',
    gates: { name: `${key}.${name}_${suffix}` },
    source,
  };
}

function addresses(key: TrafficKey, count: TrafficCount, label: string, about: string): TrafficSignal[] {
  const texts = [label, `Distinct addresses ${about}`] as const;
  return (['hour', 'day'] as const).map((window) => counted(key, 'addresses', texts, { count, window }));
}

/**
 * The values of traffic. The decision log keeps values by their position: existing values keep theirs, a new value comes last.
 */
export const trafficSignals: readonly TrafficSignal[] = [
  ...(['hour', 'day'] as const).map((window) =>
    counted('address', 'decisions', ['Decisions about the address', 'Decisions about it'], {
      count: 'decisions',
      window,
    }),
  ),
  counted('address', 'spellings', ['Spellings of the address', 'Distinct spellings of the normalised address'], {
    count: 'spellings',
    window: 'day',
  }),
  ...addresses('domain', 'domain', 'Addresses at the domain', 'at the registrable domain'),
  {
    subject: 'traffic',
    schema: { type: 'integer', minimum: 0, maximum: 30 },
    about: 'Whole days since this environment first saw the registrable domain, at most 30; 0 is today.',
    label: 'Days since the domain was first seen',
    group: 'traffic',
    unit: 'days',
    gates: { name: 'domain.first_seen_days' },
    source: 'firstSeenDays',
  },
  ...addresses('mail_server', 'mailServer', 'Addresses at the mail server', 'at domains with the same mail server'),
  counted(
    'mail_server',
    'domains',
    ['Domains at the mail server', 'Distinct registrable domains with the same mail server'],
    { count: 'mailServerDomains', window: 'day' },
  ),
  ...addresses('ip', 'ip', 'Addresses from the IP address', 'from the IP address (IPv6: its /64)'),
  ...addresses('network', 'network', 'Addresses from the network', 'from the /24 of the IP address (IPv6: its /48)'),
  ...addresses('device', 'device', 'Addresses with the device', 'with the same `device`'),
  {
    subject: 'traffic',
    schema: { type: 'boolean' },
    about: 'The decision belongs to an open wave of sign-ups that is not judged fine.',
    label: 'Part of a wave',
    group: 'traffic',
    gates: { name: 'in_wave' },
    source: 'inWave',
  },
  {
    subject: 'traffic',
    schema: { type: 'string' },
    about: 'The wave that the decision belongs to.',
    label: 'Wave',
    group: 'traffic',
    gates: { name: 'wave_id', isHidden: true },
    source: 'waveId',
  },
];
