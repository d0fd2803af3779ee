/** A time (epoch ms) after which the caller no longer waits. */
export interface Deadline {
  readonly atMs: number;
  readonly signal?: AbortSignal;
}
