import type { Described } from './signal.ts';

/** What traffic is counted by; an object of each is in a decision's response. */
export const trafficKeys = ['address', 'domain', 'mail_server', 'ip', 'network'] as const;
export type TrafficKey = (typeof trafficKeys)[number];

/** One count of an environment's own decisions; only Gates reads it. */
export type TrafficSignal = Described & { readonly gates: { readonly name: string } };

function count(key: TrafficKey, name: string, label: string, about: string): TrafficSignal {
  return {
    subject: 'traffic',
    schema: { type: 'integer', minimum: 0, maximum: name === 'first_seen_days' ? 30 : 10_000 },
    about,
    label,
    group: 'traffic',
    ...(name === 'first_seen_days' && { unit: 'days' }),
    gates: { name: `${key}.${name}` },
  };
}

const spans = [
  ['1h', 'the last hour'],
  ['24h', 'the last 24 hours'],
] as const;

function addresses(key: TrafficKey, label: string, about: string): TrafficSignal[] {
  return spans.map(([suffix, span]) =>
    count(key, `addresses_${suffix}`, `${label} in ${span}`, `Distinct addresses ${about} in ${span}.`),
  );
}

/**
 * The counts of traffic. The decision log keeps values by their place in this order: what is here stays, and a new count comes last.
 */
export const trafficSignals: readonly TrafficSignal[] = [
  ...spans.map(([suffix, span]) =>
    count('address', `decisions_${suffix}`, `Decisions about the address in ${span}`, `Decisions about it in ${span}.`),
  ),
  count(
    'address',
    'spellings_24h',
    'Spellings of the address in the last 24 hours',
    'Distinct spellings of the normalised address in the last 24 hours.',
  ),
  ...addresses('domain', 'Addresses at the domain', 'at the registrable domain'),
  count(
    'domain',
    'first_seen_days',
    'Days since the domain was first seen',
    'Whole days since this environment first saw the registrable domain, at most 30; 0 is today.',
  ),
  ...addresses('mail_server', 'Addresses at the mail server', 'at domains with the same mail server'),
  count(
    'mail_server',
    'domains_24h',
    'Domains at the mail server in the last 24 hours',
    'Distinct registrable domains with the same mail server in the last 24 hours.',
  ),
  ...addresses('ip', 'Addresses from the IP address', 'from the IP address (IPv6: its /64)'),
  ...addresses('network', 'Addresses from the network', 'from the /24 of the IP address (IPv6: its /48)'),
];
