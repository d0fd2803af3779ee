const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Every number of the detection; `node bench/waves/run.ts` measures the effect of a change. */
export const thresholds = {
  /** Addresses that arrive within this time arrive together. */
  windowMs: hourMs,
  /** The same for slow waves. */
  slowMs: dayMs,
  /** An environment needs to be known for this long before it has slow waves. */
  slowKnownMs: 2 * dayMs,
  /** An environment needs to be known for this long before new domains are unusual. */
  newDomainsKnownMs: 7 * dayMs,
  /** Rates are averages of this time; a younger value is compared with its peers. */
  usualMs: 7 * dayMs,
  /** In this time after an environment's first decision, values are compared with their peers alone. */
  firstMs: dayMs,
  /** This many large values without a rate may be concurrent attacks; more are usual for the environment. */
  otherAttacks: 3,
  /** The value of an open slow wave needs this share of the minimum of addresses. */
  continuedShare: 0.5,
  /** A mail server with fewer domains is described by its domain. */
  mailServerDomains: 3,
  /** A wider network needs sign-ups from as many networks. */
  wideNetworks: 3,
  /** Waves by chance that a month may have, for each kind and window. */
  falseWavesPerMonth: 0.05,
  /** Fewer values than this are compared as if they were as many. */
  minCompared: 10,
  /** A value's rate averages its own days and the environment's time of day, which counts as this many days. */
  profileDays: 3,
  /** A value is usual with sign-ups on this many of the last seven days; the rise needs so many usual values. */
  usualDays: 3,
  minUsual: 20,
  /** Usual values are bundled until each bundle expects at least this share of all sign-ups, or this many of them. */
  bundleShare: 1 / 20,
  bundleExpected: 1,
  /** A value this many standard deviations above its rate is large. */
  explainedDeviations: 3,
  /** The dispersion of a value around its rate before there is data, as if measured on so many squared sign-ups. */
  dispersion: { prior: 0.3, weight: 5, min: 0.1, max: 3 },
  /** New values before there is data: how many, how many with more than one member, and sums over the further members of these. */
  newValue: { values: 20, groups: 0.4, sum: 0.4, squares: 0.5 },
  /** The smallest variance of new values' further members, relative to their mean. */
  minVarianceRatio: 1.1,
  /** A value with this share of its rows in a group that precedes it belongs to the same attack. */
  mergedShare: 0.5,
  /** A wider value with this share of two groups makes them one attack. */
  linkedShare: 0.8,
  /** A value with this share of an attack's addresses describes it. */
  describingShare: 0.9,
  /** This many values of one kind that surge together are one wave of a wider kind. */
  manyValues: 3,
  /** A wave is stopped when none of its decisions of this time before its last address was allowed. */
  stoppedMs: 600_000,
} as const;
