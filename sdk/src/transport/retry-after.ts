/** How long `Retry-After` (RFC 9110, section 10.2.3) asks to wait, given as seconds or as a date; null when it does not say. */
export function retryAfterMs(headers: Headers, nowMs = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  // Every form of an HTTP date begins with the name of a day; Date.parse takes much that does not.
  if (Number.isNaN(at) || !/^[A-Z][a-z]{2}/.test(value)) return null;
  // Prefers the sender's clock from its Date header: the local clock may be wrong.
  const sentAt = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(sentAt) ? nowMs : sentAt));
}
