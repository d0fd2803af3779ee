import { many, type Plan, plans } from './attacks.ts';
import { crowds } from './crowds.ts';
import { between, oneOf, type Random } from './people.ts';
import { createPopulation, type Population, type SimulatedSignUp } from './population.ts';

/** An attack. */
export interface SimulatedAttack {
  readonly id: string;
  readonly type: string;
  readonly isSlow: boolean;
  /** Nothing that is monitored links its addresses. */
  readonly isUnlinked: boolean;
  readonly isCheap: boolean;
  readonly signUps: readonly SimulatedSignUp[];
}

/** A month of sign-ups, oldest first, with attacks and crowds in it. */
export interface SimulatedMonth {
  readonly signUps: readonly SimulatedSignUp[];
  readonly attacks: readonly SimulatedAttack[];
  readonly crowds: readonly string[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
export const monthDays = 30;
/** Half of a day's sign-ups come between noon and evening. */
const hours = [1, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 8, 9, 9, 9, 8, 8, 8, 9, 9, 8, 6, 4, 2].flatMap((weight, hour) =>
  many(weight, () => hour),
);
const slowDays = 14;

/** From 8 to 500 addresses, small ones as often as large ones. */
const sizeOf = (random: Random): number => Math.round(8 * (500 / 8) ** random());

function attackOf(population: Population, plan: Plan, startMs: number): SimulatedAttack {
  const { random } = population;
  const id = plan.type;
  const size = plan.isSlow ? (plan.perDay ?? between(random, 10, 20)) * slowDays : sizeOf(random);
  const made = plan.make(population, size);
  // Fast ones last 5 to 50 minutes, up to a third of the larger ones some hours; slow ones two weeks.
  const lasting = plan.isSlow
    ? slowDays * dayMs
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
    isCheap: plan.isCheap === true,
    signUps,
  };
}

/** The same month for the same seed; without crowds and fast attacks where `isSlowOnly`. */
export function simulateMonth(startMs: number, seed: number, perDay: number, isSlowOnly = false): SimulatedMonth {
  const population = createPopulation(seed);
  const { random } = population;
  const signUps: SimulatedSignUp[] = [];
  for (let day = 0; day < monthDays; day += 1) {
    const busy = [0, 6].includes(new Date(startMs + day * dayMs).getUTCDay()) ? 0.6 : 1.15;
    const end = signUps.length + Math.round(perDay * busy * (0.85 + 0.3 * random()));
    while (signUps.length < end)
      signUps.push(...population.group(startMs + day * dayMs + (oneOf(random, hours) + random()) * hourMs));
  }
  const wanted = isSlowOnly ? plans.filter(({ isSlow }) => isSlow) : plans;
  for (const [index, [name, make]] of Object.entries(isSlowOnly ? {} : crowds).entries()) {
    const atMs = startMs + (18 + index) * dayMs + 10 * hourMs;
    signUps.push(...make(population, atMs, perDay).map((one) => ({ ...one, event: name })));
  }
  const attacks = wanted.map((plan) =>
    attackOf(population, plan, startMs + (9 + random() * (plan.isSlow ? 6 : 20)) * dayMs),
  );
  signUps.push(...attacks.flatMap((attack) => attack.signUps));
  return { signUps: signUps.sort((one, other) => one.atMs - other.atMs), attacks, crowds: Object.keys(crowds) };
}

/** Sign-ups of an environment's first hour, without an attack. */
export function simulateFirstHour(startMs: number, seed: number, count: number): SimulatedMonth {
  const population = createPopulation(seed);
  const signUps: SimulatedSignUp[] = [];
  while (signUps.length < count) signUps.push(...population.group(startMs + population.random() * hourMs));
  return { signUps: signUps.sort((one, other) => one.atMs - other.atMs), attacks: [], crowds: [] };
}
