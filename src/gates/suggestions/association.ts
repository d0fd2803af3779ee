/** How many bad and good entries there are, and how many of each a rule matches. */
export interface Counts {
  readonly bad: number;
  readonly good: number;
  readonly allBad: number;
  readonly allGood: number;
}

/** The G statistic of a rule and the outcomes; negative when the rule matches fewer bad entries than chance. */
export function association({ bad, good, allBad, allGood }: Counts): number {
  const [matched, all] = [bad + good, allBad + allGood];
  const cell = (observed: number, row: number, column: number): number =>
    observed === 0 ? 0 : observed * Math.log((observed * all) / (row * column));
  const sum =
    cell(bad, matched, allBad) +
    cell(good, matched, allGood) +
    cell(allBad - bad, all - matched, allBad) +
    cell(allGood - good, all - matched, allGood);
  return bad * all >= matched * allBad ? 2 * sum : -2 * sum;
}

/** The probability that a rule independent of the outcomes matches as many bad entries (Fisher's exact test, one-sided). */
export function chanceOf({ bad, good, allBad, allGood }: Counts): number {
  const matched = bad + good;
  const logs = logFactorials(allBad + allGood);
  const choose = (n: number, k: number): number => (logs[n] ?? 0) - (logs[k] ?? 0) - (logs[n - k] ?? 0);
  const total = choose(allBad + allGood, matched);
  let sum = 0;
  for (let hits = bad; hits <= Math.min(matched, allBad); hits += 1) {
    if (matched - hits > allGood) continue;
    sum += Math.exp(choose(allBad, hits) + choose(allGood, matched - hits) - total);
  }
  return Math.min(1, sum);
}

function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let k = 2; k <= n; k += 1) logs[k] = (logs[k - 1] ?? 0) + Math.log(k);
  return logs;
}
