import { between, digits, letters, localPart, oneOf, type Random } from './people.ts';
import {
  createPopulation,
  type Population,
  publicDomain,
  type SimulatedDomain,
  type SimulatedSignUp,
} from './population.ts';

/** An attack. */
export interface SimulatedAttack {
  readonly id: string;
  readonly type: string;
  readonly isSlow: boolean;
  /** Nothing that is monitored links its addresses. */
  readonly isUnlinked: boolean;
  readonly signUps: readonly SimulatedSignUp[];
}

/** A month of sign-ups, oldest first, with attacks and benign surges in it. */
export interface SimulatedMonth {
  readonly signUps: readonly SimulatedSignUp[];
  readonly attacks: readonly SimulatedAttack[];
  readonly surges: readonly string[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
export const monthDays = 30;
/** Half of a day's sign-ups come between noon and evening. */
const byHour = [1, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 8, 9, 9, 9, 8, 8, 8, 9, 9, 8, 6, 4, 2];

const fresh = (random: Random, mailServer: string | null): SimulatedDomain => ({
  name: `${letters(random, between(random, 6, 12))}.${oneOf(random, ['xyz', 'online', 'shop', 'site', 'com'])}`,
  isPublic: false,
  authority: 0,
  ageDays: between(random, 0, 30),
  mailServer,
  scheme: null,
  office: null,
});

const shapeOf = (text: string): string => text.replaceAll(/[a-z]/g, 'a').replaceAll(/\d/g, '9');
const networkOf = (ip: string): string => `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`;

interface Plan {
  readonly type: string;
  readonly isSlow?: boolean;
  readonly isUnlinked?: boolean;
  /** Makes the sign-ups of an attack with so many addresses, without their times. */
  make(population: Population, size: number): Omit<SimulatedSignUp, 'atMs' | 'event'>[];
}

const many = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));

/** What operators report in public: each plan follows one kind of report, none the detection. */
const plans: readonly Plan[] = [
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
    make: ({ random, address }, size) =>
      many(size, () => {
        const domain = publicDomain('gmail.com');
        return { email: `${localPart(random)}${digits(random, 4)}@gmail.com`, ip: address(), mailServer: null, domain };
      }),
  },
];

/** From 8 to 500 addresses, small ones as often as large ones. */
const sizeOf = (random: Random): number => Math.round(8 * (500 / 8) ** random());

function attackOf(population: Population, plan: Plan, index: number, startMs: number): SimulatedAttack {
  const { random } = population;
  const id = `${plan.type} ${index}`;
  const size = plan.isSlow ? 70 : sizeOf(random);
  const made = plan.make(population, size);
  // Fast ones last 5 to 50 minutes, up to a third of the larger ones some hours; slow ones have ten addresses a day.
  const lasting = plan.isSlow
    ? 7 * dayMs
    : size > 60 && random() < 0.35
      ? between(random, 2, 5) * hourMs
      : between(random, 5, 50) * minuteMs;
  const times = made.map(() => startMs + random() * lasting).sort((one, other) => one - other);
  const signUps = made.map((one, place) => ({ ...one, atMs: Math.floor(times[place] ?? startMs), event: id }));
  return {
    id,
    type: plan.type,
    isSlow: plan.isSlow === true,
    isUnlinked: plan.isUnlinked === true,
    signUps,
  };
}

/** Every value by which a wave may name a sign-up. */
export function valuesOf({ email, mailServer, ip, domain }: SimulatedSignUp): string[] {
  const values = [
    domain.isPublic ? '' : domain.name,
    mailServer ?? '',
    ip === null ? '' : networkOf(ip),
    domain.isPublic ? '' : shapeOf(email.slice(0, email.indexOf('@'))),
  ];
  return values.filter((value) => value !== '');
}

/** Surges that are no attacks, by their names: each on its own day. */
const surges: Readonly<Record<string, (population: Population, startMs: number) => Omit<SimulatedSignUp, 'event'>[]>> =
  {
    launch: (population, startMs) =>
      many(600, () => population.person(startMs + population.random() ** 2 * 8 * hourMs, null)),
    newsletter: (population, startMs) =>
      many(400, () => population.person(startMs + population.random() ** 2 * 4 * hourMs, null)),
    school: (population, startMs) => {
      const domain = { ...publicDomain('gymnasium-nord.de'), isPublic: false, authority: 30, ageDays: 6_000 };
      const at = (index: number, ms: number) => ({
        atMs: ms,
        email: `${localPart(population.random)}${index}@${domain.name}`,
        ip: `91.10.20.${between(population.random, 1, 254)}`,
        mailServer: null,
        domain,
      });
      // The teacher tried it two weeks before.
      return [
        at(0, startMs - 14 * dayMs),
        ...many(120, (index) => at(index + 1, startMs + population.random() * 45 * minuteMs)),
      ];
    },
    onboarding: (population, startMs) => {
      const domain = {
        ...publicDomain('mittelstand-werke.de'),
        isPublic: false,
        authority: 35,
        ageDays: 5_000,
        mailServer: 'mittelstand-werke.de',
      };
      const at = (index: number, ms: number) => ({
        atMs: ms,
        email: `${localPart(population.random, 0)}${index}@${domain.name}`,
        ip: `92.20.30.${between(population.random, 1, 254)}`,
        mailServer: domain.mailServer,
        domain,
      });
      return [
        at(0, startMs - 10 * dayMs),
        at(1, startMs - 9 * dayMs),
        ...many(80, (index) => at(index + 2, startMs + population.random() * 2 * hourMs)),
      ];
    },
    conference: (population, startMs) => {
      const { random, companies } = population;
      const known = companies.filter(({ authority }) => authority >= 50);
      return many(90, (index) => {
        const domain = index % 12 === 0 ? publicDomain('gmail.com') : oneOf(random, known);
        return {
          atMs: startMs + random() * 3 * hourMs,
          email: `${localPart(random)}${index}@${domain.name}`,
          ip: `93.30.40.${between(random, 1, 254)}`,
          mailServer: domain.mailServer,
          domain,
        };
      });
    },
    import: (population, startMs) =>
      many(50_000, () => ({ ...population.person(startMs + population.random() * 2 * hourMs, null), ip: null })),
  };

/** The same month for the same seed. */
export function simulateMonth(startMs: number, seed: number, perDay = 500, attacksPerType = 6): SimulatedMonth {
  const population = createPopulation(seed);
  const { random } = population;
  const signUps: SimulatedSignUp[] = [];
  for (let day = 0; day < monthDays; day += 1) {
    const busy = [0, 6].includes(new Date(startMs + day * dayMs).getUTCDay()) ? 0.6 : 1.15;
    for (let count = Math.round(perDay * busy * (0.85 + 0.3 * random())); count > 0; count -= 1)
      signUps.push(population.person(startMs + day * dayMs + hourOf(random) * hourMs + random() * hourMs, null));
  }
  for (const [index, [name, make]] of Object.entries(surges).entries()) {
    const atMs = startMs + (16 + index * 2) * dayMs + 10 * hourMs;
    signUps.push(...make(population, atMs).map((one) => ({ ...one, event: name })));
  }
  const attacks = plans.flatMap((plan) =>
    many(plan.isSlow ? 3 : attacksPerType, (index) =>
      attackOf(population, plan, index, startMs + (2 + random() * (plan.isSlow ? 20 : 27)) * dayMs),
    ),
  );
  signUps.push(...attacks.flatMap((attack) => attack.signUps));
  return { signUps: signUps.sort((one, other) => one.atMs - other.atMs), attacks, surges: Object.keys(surges) };
}

function hourOf(random: Random): number {
  const hours = byHour.flatMap((weight, hour) => Array.from({ length: weight }, () => hour));
  return oneOf(random, hours);
}
