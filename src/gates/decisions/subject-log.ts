import { parseAddress } from '../../address/address.ts';
import { parseDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
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
