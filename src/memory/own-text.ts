/** Texts up to this length fit whatever characters they have; it spares a buffer for each, a quarter of the time. */
const shortLength = 512;
const scratch = Buffer.allocUnsafe(3 * shortLength);

/**
 * The beginning of a text, in memory of its own. A slice keeps the text it was cut from alive, however long that is; whoever
 * keeps a piece of what a stranger sent must not keep the rest.
 */
export function ownText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const kept = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  if (kept.length > shortLength) return Buffer.from(kept).toString();
  return scratch.toString('utf8', 0, scratch.write(kept));
}
