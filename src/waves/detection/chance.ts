/** Counts with bursts: a negative binomial distribution, which is Poisson when the variance equals the mean. */
export interface Bursty {
  readonly mean: number;
  readonly variance: number;
}

/** A variance below this multiple of the mean is taken as this one: the distribution needs some dispersion. */
const minVarianceRatio = 1.02;
/** Terms below this share of the sum no longer change it. */
const negligible = 1e-12;

/** The probability of `count` or more. */
export function tailOf({ mean, variance }: Bursty, count: number): number {
  if (count <= 0) return 1;
  if (mean <= 0) return 0;
  const spread = Math.max(variance, mean * minVarianceRatio) - mean;
  const size = (mean * mean) / spread;
  const share = mean / (mean + size);
  let term = Math.exp(
    logGamma(count + size) - logGamma(size) - logGamma(count + 1) + size * Math.log1p(-share) + count * Math.log(share),
  );
  let sum = 0;
  for (let at = count; term > sum * negligible; at += 1) {
    sum += term;
    term *= ((at + size) / (at + 1)) * share;
  }
  return Math.min(1, sum);
}

/** The smallest count, at least `least`, whose tail is below a bound; any larger count beyond `most`, because few values come near it. */
export function countBeyond(distribution: Bursty, bound: number, least: number, most: number): number {
  if (least > most) return least;
  if (tailOf(distribution, most) >= bound) return most + 1;
  if (tailOf(distribution, least) < bound) return least;
  let low = least;
  let high = most;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (tailOf(distribution, middle) < bound) high = middle;
    else low = middle;
  }
  return high;
}

/** Coefficients of Lanczos's approximation for g = 7 (Godfrey, 2001). */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const base = z + 7.5;
  let sum: number = lanczos[0];
  for (let index = 1; index < lanczos.length; index += 1) sum += (lanczos[index] ?? 0) / (z + index);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum);
}
