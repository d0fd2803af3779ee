import { between, digits, letters, localPart, oneOf, type Random } from './people.ts';
import { type Population, publicDomain, type SimulatedDomain, type SimulatedSignUp } from './population.ts';

const fresh = (random: Random, mailServer: string | null): SimulatedDomain => ({
  name: `${letters(random, between(random, 6, 12))}.${oneOf(random, ['xyz', 'online', 'shop', 'site', 'com'])}`,
  isPublic: false,
  authority: 0,
  ageDays: between(random, 0, 30),
  mailServer,
  scheme: null,
  office: null,
});

export interface Plan {
  readonly type: string;
  readonly isSlow?: boolean;
  readonly isUnlinked?: boolean;
  /** One of the cheap kinds that a single value of domain, mail server, network or shape does not link. */
  readonly isCheap?: boolean;
  /** Sign-ups a day of a slow attack; 10 to 20 unless given. */
  readonly perDay?: number;
  /** Makes the sign-ups of an attack with so many addresses, without their times. */
  make(population: Population, size: number): Omit<SimulatedSignUp, 'atMs' | 'event'>[];
}

export const many = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));

type Unplaced = Omit<SimulatedSignUp, 'atMs' | 'event'>;

const hex = (random: Random): string => between(random, 1, 65_535).toString(16);

/** Spellings of one mailbox: dots where a service ignores them, and tags. */
function variants(random: Random, service: string, size: number, ipOf: () => string | null): Unplaced[] {
  const mailbox = letters(random, 10);
  return many(size, (index) => {
    const dotted = [...mailbox].map((letter, place) => ((index >> place) & 1 ? `.${letter}` : letter)).join('');
    return {
      email: `${dotted.replace(/^\./, '')}+${index}@${service}`,
      normalized: `${mailbox}@${service}`,
      ip: ipOf(),
      mailServer: null,
      domain: publicDomain(service),
    };
  });
}

function freeMail(random: Random, size: number, ipOf: () => string): Unplaced[] {
  return many(size, () => {
    const domain = publicDomain(oneOf(random, ['gmail.com', 'outlook.com', 'yahoo.com']));
    return {
      email: `${localPart(random)}${digits(random, between(random, 2, 5))}@${domain.name}`,
      ip: ipOf(),
      mailServer: null,
      domain,
    };
  });
}

/** What operators report in public: each plan follows one kind of report, none the detection. */
export const plans: readonly Plan[] = [
  {
    // "8 to 50 sign-ups each, nonsensical domains, on no list", IP addresses of everywhere.
    type: 'one new domain',
    make: ({ random, address }, size) => {
      const domain = fresh(random, random() < 0.5 ? null : `${letters(random, 8)}.net`);
      return many(size, () => ({
        email: `${letters(random, between(random, 5, 12))}@${domain.name}`,
        ip: address(),
        mailServer: domain.mailServer,
        domain,
      }));
    },
  },
  {
    type: 'one new domain, no IP addresses',
    make: ({ random }, size) => {
      const domain = fresh(random, null);
      return many(size, () => ({
        email: `${localPart(random)}${digits(random, between(random, 0, 3))}@${domain.name}`,
        ip: null,
        mailServer: null,
        domain,
      }));
    },
  },
  {
    // "232 domains on one mail server, all `abcd123@`".
    type: 'many domains on one mail server',
    make: ({ random, address }, size) => {
      const server = `${letters(random, 9)}.net`;
      return many(size, () => {
        const domain = fresh(random, server);
        return {
          email: `${letters(random, 4)}${digits(random, 3)}@${domain.name}`,
          ip: address(),
          mailServer: server,
          domain,
        };
      });
    },
  },
  {
    // "they rotate as we block": ten addresses, then the next domain.
    type: 'rotating domains on one mail server',
    make: ({ random, address }, size) => {
      const server = `${letters(random, 9)}.net`;
      let domain = fresh(random, server);
      return many(size, (index) => {
        if (index % 10 === 9) domain = fresh(random, server);
        return { email: `${localPart(random)}@${domain.name}`, ip: address(), mailServer: server, domain };
      });
    },
  },
  {
    // "newly registered domains with one address pattern", their mail forwarded by a provider that everyone uses.
    type: 'one pattern, domains on a shared provider',
    make: ({ random, address }, size) => {
      const [left, right] = [between(random, 5, 9), between(random, 2, 4)];
      let domain = fresh(random, null);
      return many(size, (index) => {
        if (index % 3 === 2) domain = fresh(random, null);
        return {
          email: `${letters(random, left)}${digits(random, right)}@${domain.name}`,
          ip: address(),
          mailServer: null,
          domain,
        };
      });
    },
  },
  {
    type: 'public mail from one network',
    make: ({ random }, size) => {
      const network = `${between(random, 11, 220)}.${between(random, 1, 254)}.${between(random, 1, 254)}`;
      return many(size, () => {
        const domain = publicDomain(oneOf(random, ['gmail.com', 'outlook.com', 'yahoo.com']));
        return {
          email: `${localPart(random)}${digits(random, between(random, 2, 5))}@${domain.name}`,
          ip: `${network}.${between(random, 1, 254)}`,
          mailServer: null,
          domain,
        };
      });
    },
  },
  {
    type: 'dots and tags of one Gmail mailbox',
    make: ({ random }, size) => {
      const network = `${between(random, 11, 220)}.${between(random, 1, 254)}.${between(random, 1, 254)}`;
      const mailbox = `${letters(random, 10)}`;
      const domain = publicDomain('gmail.com');
      return many(size, (index) => {
        const dotted = [...mailbox].map((letter, place) => ((index >> place) & 1 ? `.${letter}` : letter)).join('');
        return {
          email: `${dotted.replace(/^\./, '')}+${index}@gmail.com`,
          normalized: `${mailbox}@gmail.com`,
          ip: `${network}.${between(random, 1, 254)}`,
          mailServer: null,
          domain,
        };
      });
    },
  },
  {
    type: 'mailbox variants, many networks',
    isCheap: true,
    make: ({ random, address }, size) => variants(random, 'gmail.com', size, address),
  },
  {
    type: 'mailbox variants, no IP',
    isCheap: true,
    make: ({ random }, size) => variants(random, 'gmail.com', size, () => null),
  },
  {
    type: 'plus addresses at one domain',
    isCheap: true,
    make: ({ random, address, companies }, size) => {
      const domain = oneOf(
        random,
        companies.filter(({ authority }) => authority >= 50),
      );
      const mailbox = letters(random, 8);
      return many(size, (index) => ({
        email: `${mailbox}+${index}${letters(random, 3)}@${domain.name}`,
        normalized: `${mailbox}@${domain.name}`,
        ip: address(),
        mailServer: domain.mailServer,
        domain,
      }));
    },
  },
  {
    type: 'free mail, a /32 of IPv6',
    isCheap: true,
    make: ({ random }, size) => {
      const prefix = `2a${between(random, 10, 99)}:${between(random, 1000, 9999)}`;
      return freeMail(random, size, () => `${prefix}:${hex(random)}:${hex(random)}::${hex(random)}`);
    },
  },
  {
    type: 'rotating domains, own mail servers',
    isCheap: true,
    make: ({ random, address }, size) => {
      let domain = fresh(random, `${letters(random, 8)}.net`);
      return many(size, (index) => {
        if (index % 2 === 1) domain = fresh(random, `${letters(random, 8)}.net`);
        const { mailServer } = domain;
        return {
          email: `${localPart(random)}${digits(random, between(random, 0, 3))}@${domain.name}`,
          ip: address(),
          mailServer,
          domain,
        };
      });
    },
  },
  {
    type: 'free mail of one network, chaff at established domains',
    isCheap: true,
    make: ({ random, companies }, size) => {
      const network = `${between(random, 11, 220)}.${between(random, 1, 254)}.${between(random, 1, 254)}`;
      const large = companies.filter(({ authority }) => authority >= 50);
      return many(size, (index) => {
        const domain = index % 2 === 0 ? oneOf(random, large) : publicDomain('gmail.com');
        return {
          email: `${localPart(random)}${digits(random, 3)}@${domain.name}`,
          ip: `${network}.${between(random, 1, 254)}`,
          mailServer: domain.mailServer,
          domain,
        };
      });
    },
  },
  {
    type: 'free mail of many networks, one device',
    isCheap: true,
    make: ({ random, address }, size) => {
      const device = digits(random, 16);
      return freeMail(random, size, address).map((one) => ({ ...one, device }));
    },
  },
  {
    type: 'neighbouring networks, free mail',
    isCheap: true,
    make: ({ random }, size) => {
      const [first, second, third] = [between(random, 11, 220), between(random, 1, 254), between(random, 0, 15) * 16];
      return freeMail(
        random,
        size,
        () => `${first}.${second}.${third + between(random, 0, 15)}.${between(random, 1, 254)}`,
      );
    },
  },
  {
    type: 'slow, one mailbox from one home',
    isSlow: true,
    perDay: 100,
    make: ({ random }, size) => {
      const ip = `${between(random, 11, 220)}.${between(random, 1, 254)}.${between(random, 1, 254)}.7`;
      return variants(random, 'gmail.com', size, () => ip);
    },
  },
  {
    type: 'slow, free mail of one network',
    isSlow: true,
    make: ({ random }, size) => {
      const network = `${between(random, 11, 220)}.${between(random, 1, 254)}.${between(random, 1, 254)}`;
      return freeMail(random, size, () => `${network}.${between(random, 1, 254)}`);
    },
  },
  {
    type: 'slow, one new domain',
    isSlow: true,
    make: ({ random, address }, size) => {
      const domain = fresh(random, null);
      return many(size, () => ({
        email: `${localPart(random)}${digits(random, 2)}@${domain.name}`,
        ip: address(),
        mailServer: null,
        domain,
      }));
    },
  },
  {
    type: 'slow, domains on one mail server',
    isSlow: true,
    make: ({ random, address }, size) => {
      const server = `${letters(random, 9)}.net`;
      return many(size, () => {
        const domain = fresh(random, server);
        return { email: `${localPart(random)}@${domain.name}`, ip: address(), mailServer: server, domain };
      });
    },
  },
  {
    type: 'public mail from everywhere',
    isUnlinked: true,
    isCheap: true,
    make: ({ random, address }, size) =>
      many(size, () => {
        const domain = publicDomain('gmail.com');
        return { email: `${localPart(random)}${digits(random, 4)}@gmail.com`, ip: address(), mailServer: null, domain };
      }),
  },
];
