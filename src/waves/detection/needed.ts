import type { WaveSettings } from '../wave.ts';
import { countBeyond } from './chance.ts';
import type { Excess, History, Rate } from './history.ts';
import type { DetectedKind } from './kinds.ts';
import { thresholds } from './thresholds.ts';
import { type PeerCounts, SizeSums, trimmedMeanOf, type ValueGroup } from './value-groups.ts';

/** The values of one kind in a window, and the counts expected of them. */
export interface Window {
  readonly measure: number;
  readonly detected: DetectedKind;
  /** A day rather than an hour. */
  readonly isDay: boolean;
  /** The environment has no history. */
  readonly isFirstDay: boolean;
  /** By how much usual values have risen. */
  readonly rise: number;
  /** Average hours that the window has, by the time of day. */
  readonly hours: number;
  readonly peers: PeerCounts;
  readonly settings: WaveSettings;
  readonly history: History;
  /** The sizes of groups; see `sizeOf`. */
  readonly largeSizes: SizeSums;
  /** Sums over the values that are no groups. */
  readonly small: Readonly<Excess>;
  /** The squared excess of usual values over the variance of chance, ascending. */
  readonly bursts: SizeSums;
}

const hoursPerMonth = 720;
const hoursPerDay = 24;

export function windowOf(
  given: Omit<Window, 'largeSizes' | 'small' | 'bursts'>,
  groups: readonly ValueGroup[],
  rates: readonly (Rate | null)[],
): Window {
  const largeSizes: number[] = [];
  const bursts: number[] = [];
  for (const [index, { rows }] of groups.entries()) {
    const rate = rates[index] ?? null;
    if (rate !== null) bursts.push(burstOf(meanOf(rate, given), rows.length));
    const size = sizeOf(rate, rows.length, given);
    if (size > 0) largeSizes.push(size);
  }
  return {
    ...given,
    largeSizes: new SizeSums(largeSizes),
    small: excessOf(given.peers.small),
    bursts: new SizeSums(bursts),
  };
}

const meanOf = ({ now, day }: Rate, { isDay, rise }: Pick<Window, 'isDay' | 'rise'>): number =>
  (isDay ? day : now) * rise;

/** The rows of a new value; of one with a rate the rows beyond it, 0 when the rate explains them. */
function sizeOf(
  rate: Rate | null,
  rows: number,
  given: Pick<Window, 'isDay' | 'rise' | 'history' | 'measure'>,
): number {
  if (rate === null) return rows;
  const mean = meanOf(rate, given);
  const variance = mean + (given.history.dispersionOf(given.measure) + rate.doubt) * mean * mean;
  return rows > mean + thresholds.explainedDeviations * Math.sqrt(variance) ? Math.ceil(rows - mean) : 0;
}
const burstOf = (mean: number, rows: number): number => Math.max(0, (rows - mean) ** 2 - mean);

/** The probability below which one of the compared values' counts is beyond chance. */
function boundOf({ isDay, peers }: Window): number {
  const windows = isDay ? hoursPerMonth / hoursPerDay : hoursPerMonth;
  return thresholds.falseWavesPerMonth / windows / Math.max(thresholds.minCompared, peers.values);
}

/** The members that a value needs to be a wave; exact up to its rows. A value with a rate needs no fewer than a new one. */
export function neededOf(rate: Rate | null, rows: number, window: Window): number {
  const needed = rate === null ? 0 : neededByRate(rate, rows, window);
  const size = sizeOf(rate, rows, window);
  return needed > rows || size === 0 ? needed : Math.max(needed, neededByPeers(rows, size, window));
}

function neededByRate(rate: Rate, rows: number, window: Window): number {
  const { settings } = window;
  const mean = meanOf(rate, window);
  const dispersion = Math.max(window.history.dispersionOf(window.measure), dispersionNow(burstOf(mean, rows), window));
  const variance = mean + (dispersion + rate.doubt) * mean * mean;
  const least = Math.max(settings.minAddresses, Math.ceil(settings.factor * mean));
  return countBeyond({ mean, variance }, boundOf(window), least, rows);
}

/**
 * How much the other usual values vary in this window: when many of them are far above their rates, as a carrier's networks after an
 * advertisement, one of them is no exception. A few may be attacks.
 */
function dispersionNow(own: number, { bursts, history, measure, hours, rise }: Window): number {
  const others = bursts.smallest(own, bursts.length - 1 - thresholds.otherAttacks);
  return others.sum / (history.rateSquares(measure) * (hours * rise) ** 2 + thresholds.dispersion.weight);
}

/**
 * The members that a new value needs to be a wave, exact up to its rows: far more than other values of the window and than new
 * values of the week before, scaled by the rise. Most new values have one member; the others, such as colleagues, have a negative
 * binomial number of further members (a hurdle distribution).
 */
function neededByPeers(rows: number, size: number, window: Window): number {
  const { peers, measure, isDay, rise, largeSizes, small, history, settings } = window;
  const prior = thresholds.newValue;
  const before = history.firstExcess(measure, isDay);
  // Others that are as large show that large values are no attacks; a few may be attacks themselves.
  const others = largeSizes.smallest(size, largeSizes.length - 1 - thresholds.otherAttacks);
  const values = prior.values + before.values + small.values + others.number;
  const groups = Math.min(values, (prior.groups + before.groups) * rise + small.groups + others.number);
  const sum = (prior.sum + before.sum) * rise + small.sum + others.sum - others.number;
  const squares =
    (prior.squares + before.squares) * rise * rise + small.squares + others.squares - 2 * others.sum + others.number;
  const mean = sum / groups;
  const variance = Math.max(squares / groups - mean * mean, mean * thresholds.minVarianceRatio);
  // Without a history, sizes of companies and networks are all that is known, and they differ by orders of magnitude.
  const usual = Math.max(trimmedMeanOf(peers, rows), window.isFirstDay ? largestPeer(others.largest, window) : 0);
  const least = Math.max(settings.minAddresses, Math.ceil(settings.factor * usual));
  return countBeyond({ mean, variance }, (boundOf(window) * values) / groups, least - 1, rows) + 1;
}

/** The members that an open slow wave needs: it ends when its value is rare again, not between two busy days. */
export function neededToContinue(rate: Rate | null, rows: number, window: Window): number {
  const { minAddresses, factor } = window.settings;
  const expected = rate === null ? trimmedMeanOf(window.peers, rows) : meanOf(rate, window);
  return Math.ceil(Math.max(minAddresses * thresholds.continuedShare, factor * expected));
}

/** The rows of the largest other value, without values that may be attacks. */
function largestPeer(ofGroups: number, { largeSizes, peers }: Window): number {
  if (ofGroups > 0) return ofGroups;
  let attacks = thresholds.otherAttacks - (largeSizes.length - 1);
  for (let rows = peers.small.length - 1; rows > 0; rows -= 1) {
    attacks -= peers.small[rows] as number;
    if (attacks < 0) return rows;
  }
  return 0;
}

/** Sums over values by their numbers of rows. */
function excessOf(numbers: readonly number[]): Excess {
  const sums = { values: 0, groups: 0, sum: 0, squares: 0 };
  for (let count = 1; count < numbers.length; count += 1) {
    const number = numbers[count] as number;
    sums.values += number;
    if (count > 1) sums.groups += number;
    sums.sum += number * (count - 1);
    sums.squares += number * (count - 1) ** 2;
  }
  return sums;
}
