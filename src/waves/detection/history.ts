import { boundedMap } from '../../platform/bounded-map.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { type HourSummary, measures, valueHash } from './hour-summary.ts';
import { detectedKinds } from './kinds.ts';
import { thresholds } from './thresholds.ts';

export const hourMs = 3_600_000;
const usualHours = thresholds.usualMs / hourMs;
/** Earlier hours, which show whether a value is older than the usual time. */
const olderHours = 72;
/** Hours that are kept. */
export const historyHours = usualHours + olderHours;

/** Sums over values: how many, how many with more than one member, and the further members of these. */
export interface Excess {
  values: number;
  groups: number;
  sum: number;
  squares: number;
}

/** Usual values in bundles: the largest alone and smaller ones together, so that each expects sign-ups. */
export interface Bundles {
  /** The bundle of each usual value, by the value's hash. */
  readonly of: ReadonlyMap<number, number>;
  /** The expected sign-ups of each bundle in an average hour. */
  readonly expected: readonly number[];
  readonly values: number;
}

/** How often a value is usually seen. */
export interface Rate {
  /** Its average hour. */
  readonly average: number;
  /** The mean of an hour at this time of day, and of a day. Both allow for a value that is missing by chance. */
  readonly now: number;
  readonly day: number;
  /** The squared relative error of these means: few sign-ups make a rate uncertain. */
  readonly doubt: number;
}

/** An environment's usual behaviour, from the hours before. It changes once an hour. */
export interface History {
  /** The monitored hours within the usual time. */
  readonly hours: number;
  /** The sign-ups at the time of day of an hour, relative to the average hour. */
  profileAt(hour: number): number;
  /** Null for a value that is not old enough. */
  rateOf(measure: number, key: number, hour: number): Rate | null;
  /** The sum of the squared average hours of usual values. */
  rateSquares(measure: number): number;
  /** How much values vary around their rate: the variance is mean + dispersion · mean². */
  dispersionOf(measure: number): number;
  /** The counts of values in their first hour or day. */
  firstExcess(measure: number, isDay: boolean): Readonly<Excess>;
  /** Usual domains, public ones included, and usual networks: an import has no IP addresses. */
  readonly domains: Bundles;
  readonly networks: Bundles;
}

/** Rates in memory, for each environment. */
const maxRates = 20_000;
/** Entries that are read for the sums; if there are more, a sample of the values is read. */
const maxSampled = 60_000;
/** A value above its threshold is a wave, so the excess of a new value counts up to this only. */
const maxExcess = 7;

interface Sampled {
  readonly measure: number;
  readonly firstHour: number;
  first: number;
  firstDay: number;
  total: number;
  squares: number;
  weighted: number;
  days: number;
}

/** Reads the history of an environment, known since one hour, as of another hour. */
export async function readHistory(
  summaries: readonly HourSummary[],
  knownSinceHour: number,
  nowHour: number,
  yieldWhenDue: YieldWhenDue,
): Promise<History> {
  const firstUsual = nowHour - usualHours;
  const hours = Math.max(1, Math.min(usualHours, nowHour - knownSinceHour));
  const totalHash = valueHash(measures.total, 1);
  const totals = new Map(summaries.map((summary) => [summary.hour, summary.countOf(totalHash)]));
  let total = 0;
  for (const [hour, count] of totals) if (hour >= firstUsual) total += count;
  const shareOf = (hour: number): number => (totals.get(hour) ?? 0) / (total || 1);
  const { share, values: sampled } = await sample(summaries, firstUsual, nowHour, shareOf, yieldWhenDue);
  const shareSquares = [...totals].reduce(
    (sum, [hour, count]) => (hour >= firstUsual ? sum + (count / (total || 1)) ** 2 : sum),
    0,
  );
  const days = Math.min(7, Math.floor(hours / 24));
  /** The same time of day on the days before, with the hours around it. */
  const sameHours = (hour: number): number[] =>
    Array.from({ length: days }, (_, day) => hour - 24 * (day + 1)).flatMap((same) => [same - 1, same, same + 1]);
  const byHour = new Map(summaries.map((summary) => [summary.hour, summary]));
  const profileAt = (hour: number): number => {
    const same = sameHours(hour);
    if (total === 0 || same.length === 0) return 1;
    const sum = same.reduce((all, one) => all + (totals.get(one) ?? 0), 0);
    return sum / same.length / (total / hours);
  };
  /** A value's count at the time of day of an hour, over the days before. */
  const sumOf = (hash: number, hour: number): number => {
    let sum = 0;
    for (let day = 1; day <= days; day += 1) sum += byHour.get(hour - 24 * day)?.countOf(hash) ?? 0;
    return sum;
  };
  /** Rates of one hour: every round reads the same ones. */
  const rates = boundedMap<number, Rate | null>(maxRates);
  let ratesHour = 0;
  // A younger environment has no older values.
  const oldHour = nowHour - Math.min(usualHours, Math.max(24, nowHour - knownSinceHour - 24));
  const readRate = (hash: number, hour: number): Rate | null => {
    let sum = 0;
    let isOld = false;
    for (const summary of summaries) {
      const count = summary.countOf(hash);
      if (count === 0) continue;
      isOld ||= summary.hour <= oldHour;
      if (summary.hour >= firstUsual) sum += count;
    }
    if (!isOld) return null;
    const average = sum / hours;
    // A rate has a Gamma distribution given its count; half a sign-up is the Jeffreys prior.
    const mean = (sum + 0.5) / hours;
    // A window overlaps two clock hours: the busiest of the three around it counts, or a daily peak would be a wave.
    const own = Math.max(...[-1, 0, 1].map((offset) => sumOf(hash, hour + offset)));
    const { profileDays } = thresholds;
    const now = (own + profileDays * mean * profileAt(hour)) / (days + profileDays);
    return { average, now, day: mean * 24, doubt: 1 / (sum + 0.5) };
  };
  const dispersions = dispersionsIn(sampled, shareSquares);
  const rateSquares = rateSquaresIn(sampled, hours).map((sum) => sum / share);
  const seenFrom = summaries[0]?.hour ?? nowHour;
  const firstHours = excessesIn(sampled, seenFrom, ({ first }) => first);
  const firstDays = excessesIn(sampled, seenFrom, ({ firstDay }) => firstDay);
  return {
    hours,
    profileAt,
    rateOf(measure, key, hour) {
      const hash = valueHash(measure, key);
      if (hour !== ratesHour) rates.clear();
      ratesHour = hour;
      let rate = rates.get(hash);
      if (rate === undefined) {
        rate = readRate(hash, hour);
        rates.set(hash, rate);
      }
      return rate;
    },
    rateSquares: (measure) => rateSquares[measure] ?? 0,
    dispersionOf: (measure) => dispersions[measure] ?? thresholds.dispersion.prior,
    firstExcess: (measure, isDay) => (isDay ? firstDays : firstHours)[measure] ?? noExcess,
    domains: bundlesOf(sampled, measures.anyDomain, hours),
    networks: bundlesOf(sampled, networkMeasure, hours),
  };
}

/** The values of the hours, or a sample of them, with the terms of the sums. */
async function sample(
  summaries: readonly HourSummary[],
  firstUsual: number,
  nowHour: number,
  shareOf: (hour: number) => number,
  yieldWhenDue: YieldWhenDue,
): Promise<{ readonly share: number; readonly values: ReadonlyMap<number, Sampled> }> {
  const entries = summaries.reduce((sum, { size }) => sum + size, 0);
  const share = Math.min(1, maxSampled / Math.max(1, entries));
  const values = new Map<number, Sampled>();
  for (const summary of summaries) {
    const { hour } = summary;
    const hourShare = shareOf(hour);
    // Hashes are sorted: the sample is the beginning of each hour.
    for (let index = 0; index < summary.size && summary.hashAt(index) <= share * 2 ** 32; index += 1) {
      const turn = index % 256 === 0 ? yieldWhenDue() : null;
      if (turn !== null) await turn;
      const hash = summary.hashAt(index);
      const count = summary.countAt(index);
      let value = values.get(hash);
      if (value === undefined) {
        const measure = summary.measureAt(index);
        value = { measure, firstHour: hour, first: count, firstDay: 0, total: 0, squares: 0, weighted: 0, days: 0 };
        values.set(hash, value);
      }
      if (hour < value.firstHour + 24) value.firstDay += count;
      if (hour < firstUsual) continue;
      value.total += count;
      value.squares += count * count;
      value.weighted += count * hourShare;
      value.days |= 1 << Math.floor((nowHour - 1 - hour) / 24);
    }
  }
  return { share, values };
}

function isUsual({ days }: Sampled): boolean {
  let seen = 0;
  for (let left = days; left !== 0; left &= left - 1) seen += 1;
  return seen >= thresholds.usualDays;
}

/** By measure, with the method of moments: the excess of usual values over the variance of chance, relative to their squared rates. */
function dispersionsIn(values: ReadonlyMap<number, Sampled>, shareSquares: number): number[] {
  const { prior, weight, min, max } = thresholds.dispersion;
  const beyond = new Array<number>(detectedKinds.length).fill(prior * weight);
  const squares = new Array<number>(detectedKinds.length).fill(weight);
  for (const value of values.values()) {
    const { measure, total } = value;
    if (measure >= detectedKinds.length || !isUsual(value)) continue;
    const expectedSquares = total * total * shareSquares;
    beyond[measure] =
      (beyond[measure] as number) + value.squares - 2 * total * value.weighted + expectedSquares - total;
    squares[measure] = (squares[measure] as number) + expectedSquares;
  }
  return beyond.map((sum, measure) => Math.min(max, Math.max(min, sum / (squares[measure] as number))));
}

function rateSquaresIn(values: ReadonlyMap<number, Sampled>, hours: number): number[] {
  const sums = new Array<number>(detectedKinds.length).fill(0);
  for (const value of values.values())
    if (value.measure < sums.length && isUsual(value))
      sums[value.measure] = (sums[value.measure] as number) + (value.total / hours) ** 2;
  return sums;
}

const noExcess: Excess = { values: 0, groups: 0, sum: 0, squares: 0 };
/** The largest new values of the usual time are left out, up to a tenth: they may be attacks that raised no wave. */
const maxAttacks = thresholds.otherAttacks * (usualHours / 24);
const attackShare = 0.1;

/** By measure, over values whose first hour is known: older ones may have been seen before. */
function excessesIn(
  values: ReadonlyMap<number, Sampled>,
  firstHour: number,
  countOf: (value: Sampled) => number,
): Excess[] {
  const numbers = detectedKinds.map(() => new Array<number>(maxExcess + 1).fill(0));
  for (const value of values.values()) {
    const own = numbers[value.measure];
    if (own === undefined || value.firstHour < firstHour + olderHours) continue;
    const excess = Math.min(maxExcess, countOf(value) - 1);
    own[excess] = (own[excess] as number) + 1;
  }
  return numbers.map((own) => {
    const sums = { ...noExcess };
    const large = own.reduce((sum, number, excess) => (excess === 0 ? sum : sum + number), 0);
    let left = Math.min(maxAttacks, Math.ceil(large * attackShare));
    for (let excess = maxExcess; excess >= 0; excess -= 1) {
      const number = own[excess] as number;
      const counted = excess === 0 ? number : Math.max(0, number - left);
      left -= excess === 0 ? 0 : number - counted;
      sums.values += counted;
      sums.groups += excess === 0 ? 0 : counted;
      sums.sum += counted * excess;
      sums.squares += counted * excess * excess;
    }
    return sums;
  });
}

export const networkMeasure = detectedKinds.findIndex(({ kind }) => kind === 'network');

function bundlesOf(values: ReadonlyMap<number, Sampled>, measure: number, hours: number): Bundles {
  const usual = [...values].filter(([, value]) => value.measure === measure && isUsual(value));
  usual.sort(([, one], [, other]) => other.total - one.total);
  const total = usual.reduce((sum, [, value]) => sum + value.total, 0) / hours;
  const target = Math.max(thresholds.bundleExpected, total * thresholds.bundleShare);
  const of = new Map<number, number>();
  const expected: number[] = [];
  let open = 0;
  for (const [hash, value] of usual) {
    if (open === 0) expected.push(0);
    const bundle = expected.length - 1;
    open += value.total / hours;
    expected[bundle] = open;
    of.set(hash, bundle);
    if (open >= target) open = 0;
  }
  return { of, expected, values: usual.length };
}
