import { demoDomains } from './demo-domains.ts';

/** A visitor who signs up, or is looked up. */
export interface DemoEvent {
  readonly atMs: number;
  readonly kind: 'sign-up' | 'newsletter' | 'lookup' | 'staging';
  readonly email: string;
  readonly ip: string | null;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
export const demoDays = 30;

const firstNames =
  'anna ben carla david elena felix greta hugo ines jonas karin luis maria nils olga paul rosa sven tina yusuf'.split(
    ' ',
  );
const lastNames =
  'adler bauer costa diaz evans fischer garcia hansen ito jensen keller lopez meyer novak olsen petit rossi silva weber young'.split(
    ' ',
  );
const roleNames = ['info', 'sales', 'admin', 'support', 'billing'];
/** First octets; the shipped database has their countries. */
const networks = [
  '84.150',
  '91.12',
  '81.2',
  '86.10',
  '90.3',
  '151.20',
  '62.4',
  '73.15',
  '24.6',
  '98.30',
  '187.10',
  '200.20',
];
/** Half of a day's sign-ups come between noon and evening. */
const byHour = [1, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 8, 9, 9, 9, 8, 8, 8, 9, 9, 8, 6, 4, 2];

/**
 * The same month for every user: sign-ups by day and hour, look-ups, one night of throwaway addresses, and a week of few each day;
 * oldest first.
 * Exactly this many decisions, or about 2,000.
 */
export function demoTraffic(endMs: number, decisions: number | null = null, seed = 20_261_115): DemoEvent[] {
  if (decisions === null) return month(endMs, 1, seed);
  const usual = month(endMs, 1, seed).filter(isDecision).length;
  return thinned(month(endMs, Math.ceil((decisions / usual) * 1.2), seed), decisions);
}

const isDecision = ({ kind }: DemoEvent): boolean => kind !== 'lookup';

/** Leaves this many decisions, evenly taken, and the same share of look-ups. */
function thinned(events: readonly DemoEvent[], decisions: number): DemoEvent[] {
  const total = events.filter(isDecision).length;
  let seen = 0;
  return events.filter((event) => {
    if (isDecision(event)) seen += 1;
    return Math.floor((seen * decisions) / total) > Math.floor(((seen - 1) * decisions) / total);
  });
}

function month(endMs: number, scale: number, seed: number): DemoEvent[] {
  const random = createRandom(seed);
  const events: DemoEvent[] = [];
  for (let day = demoDays; day >= 0; day -= 1) {
    const dayStartMs = endMs - day * dayMs;
    const weekday = new Date(dayStartMs).getUTCDay();
    const busy = weekday === 0 || weekday === 6 ? 0.55 : 1;
    for (const [kind, perDay] of [
      ['sign-up', 45],
      ['newsletter', 11],
      ['lookup', 16],
      ['staging', 2],
    ] as const) {
      const count = Math.round(scale * perDay * busy * (0.85 + 0.3 * random()) * (1 + (demoDays - day) / 80));
      for (let index = 0; index < count; index += 1) {
        const atMs = startOfDay(dayStartMs) + pick(random, byHour) * hourMs + random() * hourMs;
        if (atMs < endMs - minuteMs) events.push({ atMs: Math.floor(atMs), kind, ...person(random) });
      }
    }
  }
  const attack = night(random, startOfDay(endMs - 5 * dayMs) + 3 * hourMs);
  return [...events, ...attack].sort((one, other) => one.atMs - other.atMs);
}

/** The outcomes, reported days later: the attackers of the night were bad, most others good. */
export function demoOutcomes(events: readonly DemoEvent[]): { email: string; outcome: 'good' | 'bad' }[] {
  const signUps = events.filter(({ kind }) => kind === 'sign-up').map(({ email }) => email);
  const reported = signUps.filter((email, place) => isThrowaway(email) || place % 6 === 0);
  const outcomes = reported.map((email, place) => ({
    email,
    outcome: isThrowaway(email) || place % 40 === 0 ? ('bad' as const) : ('good' as const),
  }));
  return [...new Map(outcomes.map((each) => [each.email, each])).values()].slice(-1_000);
}

const throwaway = ['blorpbox.example', 'zuvopost.example', 'kwexinbox.example', 'trenimail.example'];
const isThrowaway = (email: string): boolean => throwaway.includes(email.slice(email.indexOf('@') + 1));

/** An attacker creates accounts by the dozen from a few IP addresses. */
function night(random: () => number, startMs: number): DemoEvent[] {
  return Array.from({ length: 60 }, (_, index) => ({
    atMs: Math.floor(startMs + index * 120_000 + random() * 60_000),
    kind: 'sign-up',
    email: `${oneOf(random, firstNames)}${Math.floor(random() * 90_000) + 10_000}@${oneOf(random, throwaway)}`,
    ip: `203.0.113.${Math.floor(random() * 6) + 30}`,
  }));
}

function person(random: () => number): { email: string; ip: string | null } {
  const domain =
    demoDomains[
      pick(
        random,
        demoDomains.map(({ weight }) => weight),
      )
    ]?.name ?? 'gmail.com';
  const octet = (): number => Math.floor(random() * 254) + 1;
  const ip = random() < 0.85 ? `${oneOf(random, networks)}.${octet()}.${octet()}` : null;
  return { email: `${localPart(random)}@${domain}`, ip };
}

/** Forms that people choose; were few of them frequent, eight on one day would be a wave by chance. */
function localPart(random: () => number): string {
  const chance = random();
  if (chance < 0.04) return oneOf(random, roleNames);
  const first = oneOf(random, firstNames);
  const last = oneOf(random, lastNames);
  const number = (digits: number): number => Math.floor((0.1 + 0.9 * random()) * 10 ** digits);
  if (chance < 0.1) return `${first}${number(6)}`;
  if (chance < 0.17) return `${first}.${last}+shop`;
  if (chance < 0.5) return `${first}.${last}`;
  if (chance < 0.62) return `${first}${last}`;
  if (chance < 0.72) return `${first[0]}.${last}`;
  if (chance < 0.8) return `${first}_${last}`;
  return `${first}${last}${number(1 + Math.floor(random() * 3))}`;
}

const startOfDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

function oneOf<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** The index of a weight, as often as it is heavy. */
function pick(random: () => number, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return Math.max(0, index);
}

/** A linear congruential generator (Numerical Recipes, section 7.1): the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
