const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Every number of the detection; `node bench/waves/run.ts SEED` measures the effect of a change. */
export const thresholds = {
  /** Addresses that arrive within this time arrive together; a wave ends after this time without a new one. */
  windowMs: hourMs,
  /** The usual rate is the average of this time before the window. */
  usualMs: 7 * dayMs,
  /** Until this long after an environment's first decision, its networks have no usual rate and need more addresses. */
  newEnvironmentMs: dayMs,
  newEnvironmentNetwork: 20,
  /** A mail server with fewer domains is described by its domain. */
  mailServerDomains: 3,
  /** A network with this share of addresses at established domains that are not public is an office, a school or a conference. */
  establishedShare: 0.9,
  /** Differences up to this many standard errors are chance: the limits of a control chart (Shewhart, 1931), because every round compares again. */
  establishedErrors: 3,
  /** A value with this share of its addresses in a more telling one belongs to the same attack. */
  mergedShare: 0.5,
  /** A mail server, network or shape with this share of two groups makes them one attack. */
  linkedShare: 0.8,
  /** How telling each kind is: a wider value must have this many times the addresses to describe a wave. */
  weights: { domain: 1.5, mail_server: 1.4, network: 1.2, shape: 1 },
  /**
   * A shape must also have `factor` times its usual share of the addresses at such domains. Shapes are few and an import has all of
   * them: one that was never seen counts as if it had been `seen` times among `among` more addresses.
   */
  shapePrior: { seen: 2, among: 50 },
  /** Once an environment is known for this long, a surge of everything else by more than `factor` raises a value's threshold as much. */
  surgeKnownMs: dayMs,
  /** Fewer addresses an hour than `factor` times this are no surge. */
  surgeFloor: 20,
  /** The same for the hours of a day, in which a slow wave is compared with everything else. */
  slowSurgeFloor: 2,
  /** A domain or mail server with this many addresses within a day, `factor` times its usual day, is a slow wave. */
  slowAddresses: 8,
  slowMs: dayMs,
  /** Only once an environment is known for this long: a day is compared with the day before. */
  slowKnownMs: 2 * dayMs,
  /** A value raises no second slow wave for this long. */
  slowPauseMs: 14 * dayMs,
} as const;
