import { parseAddress } from '../../address/address.ts';
import { parseDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import { environments } from '../../http/endpoint.ts';
import type { AddressKeys } from './address-key.ts';
import { isDevice } from './decision-request.ts';
import type { DecisionsStore, LogFilter, LoggedRow } from './decisions-store.ts';
import { scanLog } from './scan-log.ts';
import type { LoggingGate, SubjectLogStore } from './subject-log-store.ts';

/** Finds a person in the log. */
export type SubjectKind = 'email' | 'domain' | 'ip';

/** The filter of the entries about a subject; null when the text is none. */
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

/** The filters that together find every entry about a subject, an address in every spelling of its mailbox; none when the text is not one. */
export function filtersFor(kind: SubjectKind, text: string, keys: AddressKeys): LogFilter[] {
  const filter = filterFor(kind, text, keys);
  const address = kind === 'email' ? parseAddress(text) : null;
  // Hashed entries of version 0.1.0 have no normalised address.
  const normal = address === null ? [] : [{ normalKeys: new Set(keys.allTexts(normalizeAddress(address))) }];
  return filter === null ? [] : [...normal, filter];
}

/** The filter that finds every entry about a device in an account's environments; none when the text is not an identifier. */
export function filtersForDevice(accountId: string, device: string, keys: AddressKeys): LogFilter[] {
  if (!isDevice(device)) return [];
  return [{ deviceKeys: environments.flatMap((environment) => keys.allDevices({ accountId, environment }, device)) }];
}

/** A function that replaces a subject in texts, in every spelling the service knows; the subject must be valid. */
export function eraserOf(kind: SubjectKind, text: string): (within: string) => string {
  const spellings = new Set([text, ...spellingsOf(kind, text)].map((one) => escaped(one.trim())));
  // Another address, name or number that only contains this text is another subject; a domain is also in addresses and subdomains.
  const before = { email: '[\\w.+-]', domain: '[\\w-]', ip: '[\\w.:]' }[kind];
  const pattern = new RegExp(`(?<!${before})(?:${[...spellings].join('|')})(?![\\w:-]|\\.\\w)`, 'giu');
  return (within) => within.replace(pattern, erasedMark);
}

/** Replaces an erased address, domain or IP address. */
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

/** A text as JSON, escaped for a pattern. */
function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The stores of an account's log. */
export interface SubjectLogParts {
  readonly decisions: Pick<DecisionsStore, 'listOf' | 'remove'>;
  readonly log: SubjectLogStore;
}

/** Entries removed together. */
const rowsAtOnce = 500;

/** Every entry about a subject in an account once, gate by gate. */
export async function* loggedAbout(
  { decisions, log }: SubjectLogParts,
  accountId: string,
  filters: readonly LogFilter[],
): AsyncGenerator<{ gate: LoggingGate; row: LoggedRow }> {
  for (const gate of await log.gatesOf(accountId)) {
    const listed = new Set<string>();
    for (const [index, filter] of filters.entries()) {
      for await (const row of scanLog(decisions, [gate.id], filter)) {
        if (listed.has(row.id)) continue;
        if (index < filters.length - 1) listed.add(row.id);
        yield { gate, row };
      }
    }
  }
}

/** Removes every entry about a subject in an account; returns how many. Their counts stay, because they identify no one. */
export async function eraseLogged(
  { decisions, log }: SubjectLogParts,
  accountId: string,
  filters: readonly LogFilter[],
): Promise<number> {
  let erased = 0;
  for (const gate of await log.gatesOf(accountId)) {
    for (const filter of filters) {
      for (;;) {
        const rows = await decisions.listOf([gate.id], filter, rowsAtOnce);
        if (rows.length === 0) break;
        await decisions.remove(
          gate.id,
          rows.map(({ id }) => id),
        );
        erased += rows.length;
      }
    }
  }
  return erased;
}
