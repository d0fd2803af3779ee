import type { Described } from '../signals/signal.ts';
import type { SignalValue, ValueSchema } from '../signals/value-schema.ts';
import type { IpKnowledge } from './ip-knowledge.ts';

/** One thing the service can say about an IP address; only Gates asks. Null is unknown. */
export type IpSignal<T extends SignalValue> = Described & {
  readonly schema: ValueSchema<T>;
  read(ip: IpKnowledge): T | null;
};

/** A signal of an IP address whose type does not matter at the moment. */
export type AnyIpSignal = Described & { read(ip: IpKnowledge): SignalValue | null };

function flag(name: string, about: string, read: (ip: IpKnowledge) => boolean | null): IpSignal<boolean> {
  return { subject: 'ip', schema: { type: 'boolean' }, about, gates: { name: `${name}.detected` }, read };
}

function text(name: string, about: string, read: (ip: IpKnowledge) => string | null): IpSignal<string> {
  return { subject: 'ip', schema: { type: 'string' }, about, gates: { name }, read };
}

const address: IpSignal<string> = {
  subject: 'ip',
  schema: { type: 'string' },
  names: 'ip',
  about: 'The IP address.',
  gates: { name: 'address', always: true },
  read: (ip) => ip.address,
};

const asn: IpSignal<number> = {
  subject: 'ip',
  schema: { type: 'integer', minimum: 1, maximum: 2 ** 32 - 1 },
  about: 'The number of the autonomous system.',
  gates: { name: 'network.asn' },
  read: ({ network }) => network.asn,
};

const networkDomain: IpSignal<string> = {
  ...text('network.domain', 'The domain of that organisation.', ({ network }) => network.domain),
  names: 'name',
};

/**
 * Every signal of IP addresses. First comes the address itself. The decision log keeps values by their place in this order:
 * what is here stays, and a new signal comes last.
 */
export const ipSignals: AnyIpSignal[] = [
  address,
  flag('abuse', 'The address is known for abuse.', ({ abuse }) => abuse.detected),
  flag('anonymity.proxy', 'The address belongs to a proxy.', ({ anonymity }) => anonymity.proxy.detected),
  flag('anonymity.relay', 'The address belongs to a privacy relay.', ({ anonymity }) => anonymity.relay.detected),
  flag('anonymity.tor', 'The address is a Tor exit.', ({ anonymity }) => anonymity.tor.detected),
  flag('anonymity.vpn', 'The address belongs to a VPN.', ({ anonymity }) => anonymity.vpn.detected),
  flag('hosting', 'The address belongs to a hosting network.', ({ hosting }) => hosting.detected),
  text('geo.country', 'The name of the country.', ({ geo }) => geo.country),
  text('geo.country_code', 'The two-letter code of the country.', ({ geo }) => geo.countryCode),
  text('geo.continent', 'The name of the continent.', ({ geo }) => geo.continent),
  text('geo.continent_code', 'The two-letter code of the continent.', ({ geo }) => geo.continentCode),
  text('geo.city', 'The name of the city.', ({ geo }) => geo.city),
  asn,
  text('network.aso', 'The organisation that runs the autonomous system.', ({ network }) => network.aso),
  networkDomain,
  text('network.type', 'The kind of network.', ({ network }) => network.type),
];
