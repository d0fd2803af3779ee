const defaultMs = 60_000;
const minMs = 1_000;
const maxMs = 3_600_000;

/** How long a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date) asks to wait; a minute without a readable one. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  const text = (header ?? '').trim();
  const asked = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(asked) ? defaultMs : Math.min(maxMs, Math.max(minMs, asked));
}
