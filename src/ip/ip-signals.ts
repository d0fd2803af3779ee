import type { Described } from '../signals/signal.ts';
import type { SignalValue, ValueSchema } from '../signals/value-schema.ts';
import type { IpKnowledge } from './ip-knowledge.ts';

/** A signal of an IP address, for Gates only. Null is unknown. */
export type IpSignal<T extends SignalValue> = Described & {
  readonly schema: ValueSchema<T>;
  read(ip: IpKnowledge): T | null;
};

/** A signal of an IP address of any type. */
export type AnyIpSignal = Described & { read(ip: IpKnowledge): SignalValue | null };

type Texts = readonly [label: string, about: string];

function flag(name: string, [label, about]: Texts, read: (ip: IpKnowledge) => boolean | null): IpSignal<boolean> {
  const gates = { name: `${name}.detected` };
  return { subject: 'ip', schema: { type: 'boolean' }, about, label, group: 'IP', gates, read };
}

function text(name: string, [label, about]: Texts, read: (ip: IpKnowledge) => string | null): IpSignal<string> {
  const group = name.startsWith('geo.') ? 'IP · place' : 'IP · network';
  return { subject: 'ip', schema: { type: 'string' }, about, label, group, gates: { name }, read };
}

const address: IpSignal<string> = {
  subject: 'ip',
  schema: { type: 'string' },
  names: 'ip',
  about: 'The IP address.',
  label: 'IP address',
  group: 'IP',
  gates: { name: 'address', always: true },
  read: (ip) => ip.address,
};

const asn: IpSignal<number> = {
  subject: 'ip',
  schema: { type: 'integer', minimum: 1, maximum: 2 ** 32 - 1 },
  about: 'The number of the autonomous system.',
  label: 'AS number',
  group: 'IP · network',
  gates: { name: 'network.asn' },
  read: ({ network }) => network.asn,
};

const networkDomain: IpSignal<string> = {
  ...text(
    'network.domain',
    ['Domain of the network', 'The domain of that organisation.'],
    ({ network }) => network.domain,
  ),
  names: 'name',
};

/**
 * Every signal of IP addresses; the first is the address itself. The decision log stores values by position in this order:
 * existing signals keep their positions, and a new signal comes last.
 */
export const ipSignals: AnyIpSignal[] = [
  address,
  flag('abuse', ['Known for abuse', 'The address is known for abuse.'], ({ abuse }) => abuse.detected),
  flag('anonymity.proxy', ['Proxy', 'The address belongs to a proxy.'], ({ anonymity }) => anonymity.proxy.detected),
  flag(
    'anonymity.relay',
    ['Privacy relay', 'The address belongs to a privacy relay.'],
    ({ anonymity }) => anonymity.relay.detected,
  ),
  flag('anonymity.tor', ['Tor', 'The address is a Tor exit.'], ({ anonymity }) => anonymity.tor.detected),
  flag('anonymity.vpn', ['VPN', 'The address belongs to a VPN.'], ({ anonymity }) => anonymity.vpn.detected),
  flag('hosting', ['Hosting', 'The address belongs to a hosting network.'], ({ hosting }) => hosting.detected),
  text('geo.country', ['Country', 'The name of the country.'], ({ geo }) => geo.country),
  text('geo.country_code', ['Country code', 'The two-letter code of the country.'], ({ geo }) => geo.countryCode),
  text('geo.continent', ['Continent', 'The name of the continent.'], ({ geo }) => geo.continent),
  text(
    'geo.continent_code',
    ['Continent code', 'The two-letter code of the continent.'],
    ({ geo }) => geo.continentCode,
  ),
  text('geo.city', ['City', 'The name of the city.'], ({ geo }) => geo.city),
  asn,
  text('network.aso', ['Network', 'The organisation that runs the autonomous system.'], ({ network }) => network.aso),
  networkDomain,
  text('network.type', ['Kind of network', 'The kind of network.'], ({ network }) => network.type),
];
