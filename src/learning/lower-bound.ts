/** The z score of a two-sided interval of 95 %. */
const z = 1.96;

/** The share of which a sample of `all` with `some` is evidence, at least: the lower end of Wilson's score interval. */
export function lowerBound(some: number, all: number): number {
  if (all === 0) return 0;
  const share = some / all;
  const spread = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  return (share + z ** 2 / (2 * all) - spread) / (1 + z ** 2 / all);
}
