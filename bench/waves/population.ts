import { seededRandom } from '../seeded-random.ts';
import { between, letters, localPart, oneOf, type Random } from './people.ts';

/** A decision about a sign-up. */
export interface SimulatedSignUp {
  readonly atMs: number;
  readonly email: string;
  readonly normalized?: string;
  readonly ip: string | null;
  readonly mailServer: string | null;
  readonly device?: string;
  /** Public mail services; what is known of other domains. */
  readonly domain: SimulatedDomain;
  /** The attack or surge that it belongs to. */
  readonly event: string | null;
}

/** What the service would know of a domain. */
export interface SimulatedDomain {
  readonly name: string;
  readonly isPublic: boolean;
  readonly isRelay?: boolean;
  readonly authority: number;
  readonly ageDays: number;
  /** Null for recognised providers, which everyone shares. */
  readonly mailServer: string | null;
  /** How the company builds addresses. */
  readonly scheme: number | null;
  /** Its office; null where people work elsewhere. */
  readonly office: string | null;
}

/** Who signs up: public mail, companies of all sizes, carriers. */
export interface Population {
  readonly random: Random;
  person(atMs: number, event: string | null): SimulatedSignUp;
  /** A person, sometimes with colleagues or others of the household within the hour. */
  group(atMs: number): SimulatedSignUp[];
  readonly companies: readonly SimulatedDomain[];
  /** Networks of carriers. */
  readonly carriers: readonly string[];
  address(): string;
}

const publicNames = [
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'gmx.de',
  'orange.fr',
  'libero.it',
  'wp.pl',
];
const relayName = 'privaterelay.appleid.com';

export const publicDomain = (name: string): SimulatedDomain => ({
  name,
  isPublic: true,
  authority: 90,
  ageDays: 9_000,
  mailServer: null,
  scheme: null,
  office: null,
});

const octet = (random: Random): number => between(random, 1, 254);
const word = (random: Random): string => between(random, 1, 65_535).toString(16);

export function createPopulation(seed: number): Population {
  const { integer } = seededRandom(seed);
  const random = (): number => integer(2 ** 32) / 2 ** 32;
  const hosters = Array.from({ length: 20 }, (_, index) => `hoster-${index}.net`);
  const companies = Array.from({ length: 3_000 }, (_, index): SimulatedDomain => {
    const name = `${letters(random, between(random, 4, 11))}-${index}.com`;
    const place = random();
    return {
      name,
      isPublic: false,
      // A third of the addresses are at companies that a ranking has.
      authority: random() < 0.3 ? between(random, 50, 75) : between(random, 5, 45),
      ageDays: between(random, 100, 9_000),
      mailServer: place < 0.7 ? null : place < 0.9 ? name : oneOf(random, hosters),
      scheme: between(random, 0, 5),
      office: random() < 0.5 ? `${between(random, 11, 220)}.${octet(random)}.${octet(random)}` : null,
    };
  });
  /** Behind a carrier's gateway many people have few addresses. */
  const carriers = Array.from({ length: 40 }, () => `${between(random, 11, 220)}.${octet(random)}.${octet(random)}`);
  const mobile = Array.from({ length: 12 }, () => `2a0${between(random, 0, 9)}:${word(random)}`);
  const address = (): string => {
    const place = random();
    if (place < 0.3) return `${oneOf(random, carriers)}.${octet(random)}`;
    if (place < 0.45) return `${oneOf(random, mobile)}:${word(random)}:${word(random)}::${word(random)}`;
    return `${between(random, 11, 220)}.${octet(random)}.${octet(random)}.${octet(random)}`;
  };
  const person: Population['person'] = (atMs, event) => {
    const isAtWork = random() < 0.35;
    // Few companies are large: their share falls with their number.
    const domain = isAtWork
      ? (companies[Math.floor(companies.length * random() ** 2)] as SimulatedDomain)
      : random() < 0.04
        ? { ...publicDomain(relayName), isPublic: false, isRelay: true }
        : publicDomain(oneOf(random, publicNames));
    const office = domain.office !== null && random() < 0.5 ? `${domain.office}.${octet(random)}` : null;
    const local = localPart(random, random() < 0.85 ? domain.scheme : null);
    return {
      atMs,
      email: `${local}${isAtWork ? '' : between(random, 1, 9_999)}@${domain.name}`,
      ip: random() < 0.1 ? null : (office ?? address()),
      mailServer: domain.mailServer,
      domain,
      event,
    };
  };
  return {
    random,
    companies,
    carriers,
    address,
    person,
    group(atMs) {
      const first = person(atMs, null);
      if (random() >= 0.04) return [first];
      // Colleagues share the domain, a household the IP address.
      const others = Array.from({ length: between(random, 1, 4) }, () => {
        const other = person(atMs + random() * 3_600_000, null);
        if (first.domain.isPublic || first.domain.isRelay) return { ...other, ip: first.ip };
        const { domain, mailServer, ip } = first;
        const local = localPart(random, domain.scheme);
        return { ...other, email: `${local}${between(random, 1, 99)}@${domain.name}`, domain, mailServer, ip };
      });
      return [first, ...others];
    },
  };
}
