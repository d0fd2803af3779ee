import { parseAddress } from '../../address/address.ts';
import { parseDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import type { AddressKeys } from './address-key.ts';
import type { DecisionsStore, LogFilter, LoggedRow } from './decisions-store.ts';
import type { LoggingGate, SubjectLogStore } from './subject-log-store.ts';

/** How a person is found in the log. */
export type SubjectKind = 'email' | 'domain' | 'ip';

/** Which entries are about a subject; null when the text is not one. */
export function filterFor(kind: SubjectKind, text: string, keys: AddressKeys): LogFilter | null {
  if (kind === 'email') {
    const address = parseAddress(text);
    return address === null ? null : { emailKeys: keys.all(address.localPart, address.domain.ascii) };
  }
  if (kind === 'domain') {
    const domain = parseDomain(text);
    return domain === null ? null : { domain: domain.ascii };
  }
  const ip = parseIp(text);
  return ip === null ? null : { ips: keys.allIps(ip.text) };
}

/** A function that replaces a subject in texts, in every spelling the service knows; the subject must be valid. */
export function eraserOf(kind: SubjectKind, text: string): (within: string) => string {
  const spellings = new Set([text, ...spellingsOf(kind, text)].map((one) => escaped(one.trim())));
  // Another address, name or number that only contains this text is another subject; a domain is also in addresses and subdomains.
  const before = { email: '[\\w.+-]', domain: '[\\w-]', ip: '[\\w.:]' }[kind];
  const pattern = new RegExp(`(?<!${before})(?:${[...spellings].join('|')})(?![\\w:-]|\\.\\w)`, 'giu');
  return (within) => within.replace(pattern, erasedMark);
}

/** In place of an erased address, domain or IP address. */
const erasedMark = '[erased]';

function spellingsOf(kind: SubjectKind, text: string): string[] {
  if (kind === 'ip') return [parseIp(text)?.text ?? text];
  if (kind === 'domain') {
    const domain = parseDomain(text);
    return domain === null ? [] : [domain.ascii, domain.unicode];
  }
  const address = parseAddress(text);
  if (address === null) return [];
  const { localPart, domain } = address;
  return [`${localPart}@${domain.ascii}`, `${localPart}@${domain.unicode}`, normalizeAddress(address)];
}

/** As it is in JSON, and literally in a pattern. */
function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The stores that the log of an account is read from and removed with. */
export interface SubjectLogParts {
  readonly decisions: Pick<DecisionsStore, 'list' | 'remove'>;
  readonly log: SubjectLogStore;
}

const rowsAtOnce = 500;

/** Every entry about a subject in an account, gate by gate, newest first in each. */
export async function* loggedAbout(
  { decisions, log }: SubjectLogParts,
  accountId: string,
  filter: LogFilter,
): AsyncGenerator<{ gate: LoggingGate; row: LoggedRow }> {
  for (const gate of await log.gatesOf(accountId)) {
    let last: LoggedRow | undefined;
    do {
      const before = last === undefined ? {} : { beforeId: last.id };
      const rows = await decisions.list(gate.id, { ...filter, ...before }, rowsAtOnce);
      for (const row of rows) yield { gate, row };
      last = rows.length === rowsAtOnce ? rows.at(-1) : undefined;
    } while (last !== undefined);
  }
}

/** Removes every entry about a subject in an account; how many there were. What was counted of them stays: it is about nobody. */
export async function eraseLogged(
  { decisions, log }: SubjectLogParts,
  accountId: string,
  filter: LogFilter,
): Promise<number> {
  let erased = 0;
  for (const gate of await log.gatesOf(accountId)) {
    for (;;) {
      const rows = await decisions.list(gate.id, filter, rowsAtOnce);
      if (rows.length === 0) break;
      await decisions.remove(
        gate.id,
        rows.map(({ id }) => id),
      );
      erased += rows.length;
    }
  }
  return erased;
}
