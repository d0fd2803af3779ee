/** A median, and the bounds between which it is with a confidence of at least 95 %. */
export interface MedianInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

const confidence = 0.95;

/**
 * The interval between two of the sorted values, equally far from the ends: the number of values below the true median is binomial,
 * whatever their distribution. Fewer than six values have no such interval, and then the bounds are infinite.
 */
export function medianInterval(values: readonly number[]): MedianInterval {
  const sorted = values.toSorted((one, other) => one - other);
  const { length } = sorted;
  const median = ((sorted[(length - 1) >> 1] ?? Number.NaN) + (sorted[length >> 1] ?? Number.NaN)) / 2;
  const outside = valuesOutside(length);
  return {
    median,
    low: outside < 0 ? Number.NEGATIVE_INFINITY : (sorted[outside] ?? Number.NaN),
    high: outside < 0 ? Number.POSITIVE_INFINITY : (sorted[length - 1 - outside] ?? Number.NaN),
  };
}

/** How many values at each end are outside the interval; -1 when even all values together are not confident enough. */
function valuesOutside(count: number): number {
  let outside = -1;
  let probability = 0.5 ** count;
  for (let tail = probability; 2 * tail <= 1 - confidence; tail += probability) {
    outside += 1;
    probability *= (count - outside) / (outside + 1);
  }
  return outside;
}

/** Whether both bounds are close enough to the median, as a part of it. */
export function isWithin({ median, low, high }: MedianInterval, part: number): boolean {
  return median - low <= part * median && high - median <= part * median;
}
