/** Counts durations in buckets: a few additions each, where the metrics library looks its labels up. */
export interface Histogram {
  observe(seconds: number): void;
  /** How many values were observed; those above a bound with one, which must be a bound of the histogram. */
  count(aboveSeconds?: number): number;
  /** Its samples in the text format of Prometheus; none while nothing was observed. */
  samples(name: string, labels: string): string[];
}

/** A histogram with these upper bounds in seconds, in ascending order. */
export function createHistogram(bounds: readonly number[]): Histogram {
  /** Not cumulative; the last bucket counts values that exceed every bound. */
  const buckets = new Float64Array(bounds.length + 1);
  let totalSeconds = 0;
  return {
    observe(seconds) {
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
      buckets[bucket] = (buckets[bucket] as number) + 1;
      totalSeconds += seconds;
    },
    count(aboveSeconds = Number.NEGATIVE_INFINITY) {
      const first = bounds.filter((bound) => bound <= aboveSeconds).length;
      return buckets.subarray(first).reduce((sum, each) => sum + each, 0);
    },
    samples(name, labels) {
      let count = 0;
      const lines = [...bounds, '+Inf'].map((bound, index) => {
        count += buckets[index] ?? 0;
        return sample(`${name}_bucket`, `${labels},le="${bound}"`, count);
      });
      if (count === 0) return [];
      return [...lines, sample(`${name}_sum`, labels, totalSeconds), sample(`${name}_count`, labels, count)];
    },
  };
}

/** One line of the text format. */
export function sample(name: string, labels: string, value: number): string {
  return `${name}{${labels}} ${value}`;
}
