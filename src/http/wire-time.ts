/** A moment as it goes onto the wire: ISO 8601 in UTC with offset, whole seconds. */
export function wireTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}+00:00`;
}
