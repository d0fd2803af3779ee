/**
 * What the table says of one entry. The decision over a whole name is made from the flags met on the way up its labels
 * (see `walk` and `verdict`).
 */
export const Flag = {
  /** A strong source, a brand or our own file names it as disposable. */
  strong: 1,
  /** Sources that are not strong name it as disposable, and say enough together. */
  weak: 2,
  public: 4,
  relay: 8,
  /** The relay's subdomains are relay addresses too. */
  relaySubdomains: 16,
  /** A suffix whose names belong to strangers: nothing is inherited through it. */
  boundary: 32,
  /** A boundary whose tenants are free subdomains. */
  free: 64,
  spam: 128,
  allow: 256,
  /** A known public provider: weak votes do not make it disposable. */
  vouched: 512,
  /** A name people really use: never "corrected". */
  known: 1024,
  /** A public suffix may lie below it (s3.amazonaws.com below amazonaws.com): ask before a subdomain inherits. */
  split: 2048,
  /** Allowed even where a strong source lists it. */
  overrule: 4096,
} as const;

/** The TLD trust score, 1 to 5, sits above the flags; 0 is none. */
export const trustShift = 16;
export const trustMask = 7 << trustShift;

/** What a subdomain takes over from a parent's entry. */
export const inheritedFlags =
  Flag.strong | Flag.weak | Flag.relaySubdomains | Flag.spam | Flag.allow | Flag.vouched | Flag.overrule;

/** The verdict over a name, one bit a question, so that one walk answers them all. */
export const Verdict = {
  disposable: 1,
  public: 2,
  relay: 4,
  freeSubdomain: 8,
  spam: 16,
  known: 32,
  /** Somebody vouches for it: what is learnt of its mail servers says nothing against it. */
  spared: 64,
  /** The operator allows it. */
  allowed: 128,
} as const;

/** The TLD trust score in a verdict. */
export const verdictTrustShift = 8;
