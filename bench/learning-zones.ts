import { seededRandom } from './seeded-random.ts';

/** A domain of a made-up world. */
export interface Member {
  readonly name: string;
  readonly kind: string;
  readonly isDisposable: boolean;
  readonly isListed: boolean;
  /** An instance that has looked up a share of all domains above this has looked up this one. */
  readonly seenFrom: number;
  /** Mail servers; without any the name does not exist. */
  readonly hosts: readonly string[];
  /** Addresses of the name. */
  readonly addresses: readonly string[];
  /** Addresses of its mail servers. */
  readonly mailAddresses: readonly string[];
  readonly registeredDay: number;
  /** Whether its registry publishes the date. */
  readonly hasDate: boolean;
}

export interface World {
  readonly members: readonly Member[];
  /** Listed domains below which services have their mail servers. */
  readonly listedServices: ReadonlySet<string>;
}

/** Mail servers, addresses and the day of registration. */
type Setup = Pick<Member, 'hosts' | 'addresses' | 'mailAddresses' | 'registeredDay'>;

const today = 7_300;
const parking = [
  'mx.parkingcrew.net',
  'park-mx.above.com',
  'mx.sedoparking.com',
  'mail.bodis.com',
  'mail.h-email.net',
  'mx1.hostedmxserver.com',
  'mail.parklogic.com',
];
const cloudflare = ['route1.mx.cloudflare.net', 'route2.mx.cloudflare.net'];
const providers = ['mx.zoho.com', 'mx.yandex.net', 'mx1.improvmx.com', 'mx1.forwardemail.net'];
const offices = ['aspmx.l.google.com', 'customer.mail.protection.outlook.com'];

/** The shares, in percent, of the ways in which a service receives mail. */
const serviceKinds = [
  [22, 'one server elsewhere'],
  [22, 'one server, below a listed domain'],
  [12, 'three servers in turn'],
  [5, 'a server name per domain below its own'],
  [4, 'a rented machine of a host'],
  [15, 'Cloudflare routing'],
  [10, 'a mail provider'],
  [10, 'a server per domain'],
] as const;
const ordinaryKinds = [
  [30, 'Google or Microsoft'],
  [5, 'a mail provider'],
  [10, 'Cloudflare routing'],
  [30, 'a small host'],
  [15, 'parked'],
  [10, 'its own server'],
] as const;

/** 300 services, about 25,000 ordinary domains (`width` times as many on small hosts), and hosts that have both. */
export function makeWorld(seed: number, width = 1): World {
  const random = seededRandom(seed);
  const chance = (share: number): boolean => random.integer(1_000) < share * 1_000;
  const newName = (): string => `${random.label(7 + random.integer(8))}.${random.pick(['com', 'net', 'org'])}`;
  const newAddress = (): string =>
    [23 + random.integer(150), random.integer(256), random.integer(256), 1 + random.integer(254)].join('.');
  const some = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  const drawKind = <K extends string>(kinds: readonly (readonly [percent: number, K])[]): K =>
    random.pick(kinds.flatMap(([percent, kind]) => some(percent, () => kind)));
  const listedServices = new Set<string>();
  const promotions = some(20, () => today - random.integer(730));
  const proxies = some(100, newAddress);
  const builders = some(10, newAddress);
  const parkingAddresses = some(14, newAddress);
  const smallHosts = some(150 * width, (i) => ({ server: `mx.webhost${i}.net`, addresses: some(2, newAddress) }));
  const machines = some(300, (i) => ({
    server: `vps${i % 30}.machines${Math.floor(i / 30)}.net`,
    address: newAddress(),
  }));
  /** A few hosts have most customers. */
  const smallHost = () =>
    smallHosts[Math.floor((random.integer(1_000) / 1_000) ** 2 * smallHosts.length)] as (typeof smallHosts)[number];
  /** Ordinary domains are of any age, more are young, and one in twenty is of a day when a registrar was cheap. */
  const anyDay = (): number =>
    chance(0.05) ? random.pick(promotions) : today - Math.floor((random.integer(10_000) / 10_000) ** 2 * 6_000);
  /** Services register their domains in batches, within three days each. */
  const batchesOf = (count: number): number[] => {
    const days: number[] = [];
    while (days.length < count) {
      const day = chance(0.2) ? random.pick(promotions) : today - random.integer(900);
      days.push(...some(random.pick([1, 5, 10]), () => day - random.integer(3)));
    }
    return days.slice(0, count);
  };
  const member = (kind: string, isDisposable: boolean, isListed: boolean, setup: Setup, name = newName()): Member => ({
    ...setup,
    name,
    kind,
    isDisposable,
    isListed,
    seenFrom: random.integer(10_000) / 10_000,
    hasDate: chance(0.8),
  });
  /** Lists know nine in ten of a service's older domains and four in ten of those of the last four months. */
  const isListedAt = (day: number): boolean => chance(day < today - 120 ? 0.87 : 0.4);

  const serviceDomains = (service: number): Member[] => {
    const kind = drawKind(serviceKinds);
    const own = `service${service}.net`;
    if (kind === 'one server, below a listed domain') listedServices.add(own);
    const provider = random.pick(providers);
    const machine = `vps${30 + service}.machines${random.integer(10)}.net`;
    const mailAddress = newAddress();
    const host = smallHost();
    const web = random.pick([[newAddress()], [newAddress()], proxies, host.addresses]);
    return batchesOf(random.pick([5, 10, 20, 40, 80])).map((registeredDay) => {
      const name = newName();
      const isListed = isListedAt(registeredDay);
      const fate = isListed ? random.integer(100) : 100;
      const [hosts, mailAddresses] = ((): [readonly string[], readonly string[]] => {
        if (fate < 20) return [[], []];
        if (fate < 33) return [[random.pick(parking)], []];
        if (kind.startsWith('one server')) return [[`mx.${own}`], [mailAddress]];
        if (kind === 'three servers in turn') return [[`mx${random.integer(3)}.${own}`], [mailAddress]];
        if (kind === 'a server name per domain below its own') return [[`${random.label(8)}.${own}`], [mailAddress]];
        if (kind === 'a rented machine of a host') return [[machine], [mailAddress]];
        if (kind === 'Cloudflare routing') return [cloudflare, []];
        return kind === 'a mail provider' ? [[provider], []] : [[`mail.${name}`], [mailAddress]];
      })();
      const addresses = fate < 20 ? [] : [fate < 33 ? random.pick(parkingAddresses) : random.pick(web)];
      return member(kind, true, isListed, { hosts, addresses, mailAddresses, registeredDay }, name);
    });
  };

  const ordinaryDomain = (): Member => {
    const kind = drawKind(ordinaryKinds);
    const name = newName();
    const host = smallHost();
    const ownAddress = newAddress();
    const web = random.pick([proxies, proxies, builders, host.addresses, host.addresses, [ownAddress]]);
    const [hosts, mailAddresses] = ((): [readonly string[], readonly string[]] => {
      if (kind === 'Google or Microsoft') return [[random.pick(offices)], []];
      if (kind === 'Cloudflare routing') return [cloudflare, []];
      if (kind === 'a mail provider') return [[random.pick(providers)], []];
      if (kind === 'a small host') return [[host.server], host.addresses.slice(0, 1)];
      return kind === 'parked'
        ? [[random.pick(parking)], []]
        : [[`mail.${name}`], [random.pick([ownAddress, ...host.addresses])]];
    })();
    const addresses = [random.pick(kind === 'parked' ? parkingAddresses : web)];
    return member(kind, false, false, { hosts, addresses, mailAddresses, registeredDay: anyDay() }, name);
  };

  /** Hosts that services abuse: of their domains a half, a quarter or a tenth is disposable. */
  const cheapHost = (index: number): Member[] => {
    const count = random.pick([10, 20, 40]);
    const addresses = [newAddress()];
    const at = (registeredDay: number) => ({
      hosts: [`mx.cheaphost${index}.net`],
      addresses,
      mailAddresses: addresses,
      registeredDay,
    });
    const kind = 'a cheap host';
    return [
      ...batchesOf(count).map((day) => member(kind, true, true, at(day))),
      ...batchesOf(Math.ceil(count / 5)).map((day) => member(kind, true, false, at(day))),
      ...some(count * random.pick([1, 3, 9]), () => member(kind, false, false, at(anyDay()))),
    ];
  };

  /** Companies that register many names on one day, on their own server, a small host, or a cheap one. */
  const company = (index: number): Member[] => {
    const host = smallHost();
    const day = chance(0.3) ? random.pick(promotions) : anyDay();
    const server = random.pick([`mx.company${index}.com`, host.server, `mx.cheaphost${random.integer(30)}.net`]);
    const addresses = [random.pick([newAddress(), random.pick(host.addresses)])];
    return some(10 + random.integer(40), () =>
      member('a company with many names', false, false, {
        hosts: [server],
        addresses,
        mailAddresses: addresses,
        registeredDay: day,
      }),
    );
  };

  const members = [
    ...some(300, serviceDomains),
    ...some(20_000 * width, () => [ordinaryDomain()]),
    ...some(30, cheapHost),
    ...some(40, company),
    ...machines.map(({ server, address }) =>
      some(1 + random.integer(3), () =>
        member('a rented machine of a host', false, false, {
          hosts: [server],
          addresses: [address],
          mailAddresses: [address],
          registeredDay: anyDay(),
        }),
      ),
    ),
  ].flat();
  return { members, listedServices };
}
