/** A download that must not be used, and why; the last good edition stays. */
export class Refusal extends Error {}
