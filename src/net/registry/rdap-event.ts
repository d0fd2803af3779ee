import { isPlainObject } from '../../input/json-value.ts';
import { parseBoundedJson } from '../../json-depth.ts';
import { isSaneRegistration } from './registration.ts';

/** The registration event of an RDAP domain object (RFC 9083 §4.5) in epoch ms; null when it has none. */
export function readRegistrationEvent(text: Uint8Array, nowMs: number): number | null | 'broken' {
  const document = parseBoundedJson(text);
  if (!isPlainObject(document)) return 'broken';
  if (!('events' in document)) return null;
  if (!Array.isArray(document.events)) return 'broken';
  for (const event of document.events) {
    const atMs = registrationOf(event);
    if (atMs !== null && isSaneRegistration(atMs, nowMs)) return atMs;
  }
  return null;
}

function registrationOf(event: unknown): number | null {
  if (!isPlainObject(event)) return null;
  const { eventAction, eventDate } = event;
  if (typeof eventAction !== 'string' || eventAction.trim().toLowerCase() !== 'registration') return null;
  // RFC 3339; `Date.parse` alone would also read free text such as "1" as a date.
  if (typeof eventDate !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(eventDate)) return null;
  const atMs = Date.parse(eventDate);
  return Number.isNaN(atMs) ? null : atMs;
}
