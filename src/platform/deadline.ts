/** A moment (epoch ms) after which nobody waits any more. */
export interface Deadline {
  readonly atMs: number;
  readonly signal?: AbortSignal;
}
