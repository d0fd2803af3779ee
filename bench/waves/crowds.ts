import { many } from './attacks.ts';
import { between, letters, localPart, oneOf } from './people.ts';
import { type Population, publicDomain, type SimulatedDomain, type SimulatedSignUp } from './population.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Crowds that are no attacks, by their names: each on its own day. */
export const crowds: Readonly<
  Record<string, (population: Population, startMs: number, perDay: number) => Omit<SimulatedSignUp, 'event'>[]>
> = {
  launch: (population, startMs, perDay) =>
    many(Math.max(600, perDay), () => population.person(startMs + population.random() ** 2 * 8 * hourMs, null)),
  newsletter: (population, startMs, perDay) =>
    many(Math.max(400, perDay / 2), () => population.person(startMs + population.random() ** 2 * 4 * hourMs, null)),
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
    many(10_000, () => ({ ...population.person(startMs + population.random() * 2 * hourMs, null), ip: null })),
  'carrier after an advertisement': (population, startMs, perDay) => {
    const { random, carriers } = population;
    return many(Math.max(150, perDay / 8), () => {
      const one = population.person(startMs + random() ** 2 * 2 * hourMs, null);
      return { ...one, ip: `${oneOf(random, carriers.slice(0, 12))}.${between(random, 1, 254)}` };
    });
  },
  'reseller with 40 client domains': (population, startMs) => {
    const { random } = population;
    const clients = many(40, (index) => ({
      ...publicDomain(`client-${letters(random, 5)}-${index}.com`),
      isPublic: false,
      authority: 10,
      ageDays: between(random, 200, 4_000),
      mailServer: 'reseller-mail.net',
      scheme: 1,
    }));
    // Two clients a day for weeks before, then all are moved in one afternoon.
    return [
      ...many(30, (index) => ({
        at: startMs - (15 - index / 2) * dayMs,
        domain: clients[index % 10] as SimulatedDomain,
      })),
      ...clients.map((domain) => ({ at: startMs + random() * 4 * hourMs, domain })),
    ].map(({ at, domain }) => ({
      atMs: at,
      email: `${localPart(random, 1)}@${domain.name}`,
      ip: `94.40.50.${between(random, 1, 254)}`,
      mailServer: domain.mailServer,
      domain,
    }));
  },
  'monitoring robot': ({ random }, startMs) => {
    const domain = { ...publicDomain('own-company.com'), isPublic: false, authority: 20, ageDays: 3_000 };
    const first = startMs - 20 * dayMs;
    return many(30 * 96, (index) => ({
      atMs: first + index * 15 * minuteMs + random() * 1_000,
      email: `robot+${index}@${domain.name}`,
      normalized: `robot@${domain.name}`,
      ip: '95.50.60.7',
      mailServer: null,
      domain,
    })).filter(({ atMs }) => atMs < startMs + 8 * dayMs);
  },
  'QA with plus addresses': ({ random }, startMs) => {
    const domain = { ...publicDomain('own-company.com'), isPublic: false, authority: 20, ageDays: 3_000 };
    return many(4, (day) => day).flatMap((day) =>
      many(15, (index) => ({
        atMs: startMs - (12 - day * 3) * dayMs + random() * 2 * hourMs,
        email: `qa+${day}-${index}@${domain.name}`,
        normalized: `qa@${domain.name}`,
        ip: '95.50.60.8',
        mailServer: null,
        domain,
      })),
    );
  },
  'security proxy': (population, startMs) => {
    const { random, companies } = population;
    // Employees of many companies, every working day, behind one proxy.
    return many(400, (index) => {
      const domain = random() < 0.2 ? publicDomain('gmail.com') : oneOf(random, companies);
      return {
        atMs: startMs - 18 * dayMs + (index % 24) * dayMs + random() * 9 * hourMs,
        email: `${localPart(random)}${index}@${domain.name}`,
        ip: `96.60.70.${between(random, 1, 254)}`,
        mailServer: domain.mailServer,
        domain,
      };
    });
  },
};
