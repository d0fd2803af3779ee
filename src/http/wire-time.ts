let lastSecond = Number.NaN;
let lastText = '';

/** A timestamp on the wire: ISO 8601 in UTC with offset, whole seconds. */
export function wireTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  // Responses within one second share the text.
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}+00:00`;
    lastSecond = second;
  }
  return lastText;
}
