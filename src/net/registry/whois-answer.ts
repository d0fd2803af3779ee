import { isSaneRegistration } from './registration.ts';
import { parseWhoisDate } from './whois-date.ts';

/** Field names registries use for the registration date; the longer come first, as each is matched at a line's start. */
const usualLabels = [
  'domain name commencement date',
  'first registration date',
  'domain registration date',
  'registration date',
  'registration time',
  'registered date',
  'registered on',
  'registered',
  'record created on',
  'record created',
  'domain created',
  'creation date',
  'created date',
  'created on',
  'created',
];

const limitPhrases = ['limit exceeded', 'quota exceeded', 'too many requests', 'too many queries', 'try again later'];

/** The registration date in a WHOIS answer, in epoch ms: the registry's own field first, then the usual ones. */
export function readWhoisRegistration(answer: string, label: string, nowMs: number): number | null {
  const lines = answer.split(/\r\n|\n|\r/).map(plainLine);
  return findDate(lines, [label.toLowerCase()], nowMs) ?? findDate(lines, usualLabels, nowMs);
}

/** Whether the answer is a rate-limit message rather than a record. */
export function isWhoisRateLimit(answer: string): boolean {
  const start = answer.slice(0, 1_000).toLowerCase();
  return limitPhrases.some((phrase) => start.includes(phrase));
}

function findDate(lines: readonly string[], labels: readonly string[], nowMs: number): number | null {
  for (const line of lines) {
    const label = labels.find((one) => line.startsWith(one) && !/[a-z0-9]/.test(line.charAt(one.length)));
    if (label === undefined) continue;
    const atMs = parseWhoisDate(line.slice(label.length).replace(/^[\s.:\])]+/, ''));
    if (atMs !== null && isSaneRegistration(atMs, nowMs)) return atMs;
  }
  return null;
}

/** A line without the marks some registries put before a field: `[Created on]`, `*** Registered`, `a. [Registered Date]`. */
function plainLine(line: string): string {
  return line
    .slice(0, 300)
    .toLowerCase()
    .replace(/^[^a-z0-9]+/, '')
    .replace(/^[a-z]\. ?\[/, '');
}
