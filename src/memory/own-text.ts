/**
 * The beginning of a text, in memory of its own. A slice keeps the text it was cut from alive, however long that is; whoever
 * keeps a piece of what a stranger sent must not keep the rest.
 */
export function ownText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  return Buffer.from(text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text).toString();
}
