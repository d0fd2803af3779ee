import type { Domain } from '../address/domain.ts';
import type { MxRecord } from './dns-source.ts';
import { longestSuffix } from './host-suffix.ts';

/** Services of disposable addresses by the host name suffixes of their mail exchangers. */
export type DisposableMxTable = ReadonlyMap<string, string>;

/** A domain all of whose mail goes to disposable services. */
export interface DisposableMail {
  /** The first host, for the explanation. */
  readonly host: string;
  /** The service it is known to belong to; null when it is known only by the domains it serves. */
  readonly service: string | null;
  /** How many listed domains share a host that was learnt; 0 for one of the table. */
  readonly sharedBy: number;
  /** The services of all hosts are known; none was only learnt. */
  readonly isCertain: boolean;
}

/** Hosts that were learnt to serve disposable domains: how many listed domains share one with a domain; 0 for every other host. */
export type LearntHosts = (hostname: string, domain: Domain) => number;

/** Prepares the curated entries for lookup. */
export function compileDisposableMx(entries: readonly { mx: string; provider: string }[]): DisposableMxTable {
  return new Map(entries.map(({ mx, provider }) => [mx, provider]));
}

/** The disposable service that receives a domain's mail, or some of it; null when none is recognised. */
export function disposableOperator(records: readonly MxRecord[], table: DisposableMxTable): string | null {
  for (const { hostname } of records) {
    const provider = longestSuffix(hostname, table);
    if (provider !== null) return provider;
  }
  return null;
}

/** The evidence that every host of a domain is a disposable service's; null when one of them is not, or there is none. */
export function disposableMail(
  domain: Domain,
  records: readonly MxRecord[],
  table: DisposableMxTable,
  learnt: LearntHosts,
): DisposableMail | null {
  let first: Omit<DisposableMail, 'isCertain'> | null = null;
  let isCertain = true;
  for (const { hostname: host } of records) {
    const service = longestSuffix(host, table);
    const sharedBy = service === null ? learnt(host, domain) : 0;
    if (service === null && sharedBy === 0) return null;
    first ??= { host, service, sharedBy };
    isCertain &&= service !== null;
  }
  return first === null ? null : { ...first, isCertain };
}
