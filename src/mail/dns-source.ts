import type { Deadline } from '../platform/deadline.ts';

/** The result of a DNS query. NXDOMAIN and "no such record" are answers; a failure is not. */
export type DnsAnswer<T> =
  | { readonly kind: 'records'; readonly records: readonly T[] }
  | {
      readonly kind: 'none';
      readonly missing: 'name' | 'type';
      /** Not to be cached: the answer carries no TTL (RFC 2308 section 5). */
      readonly fleeting?: true;
    }
  | {
      readonly kind: 'failed';
      /** `untrusted`: every server that answered is known to lie. */
      readonly reason: 'timeout' | 'servfail' | 'refused' | 'broken' | 'offline' | 'busy' | 'untrusted';
    };

export interface MxRecord {
  readonly hostname: string;
  readonly priority: number;
}

/** The DNS as signals need it. A cached answer may be returned without a promise. */
export interface DnsSource {
  mx(name: string, deadline: Deadline): DnsAnswer<MxRecord> | Promise<DnsAnswer<MxRecord>>;
  /** One string a record: its character-strings joined without a separator. */
  txt(name: string, deadline: Deadline): DnsAnswer<string> | Promise<DnsAnswer<string>>;
  /** IPv4 addresses. */
  a(name: string, deadline: Deadline): DnsAnswer<string> | Promise<DnsAnswer<string>>;
  /** IPv6 addresses. */
  aaaa(name: string, deadline: Deadline): DnsAnswer<string> | Promise<DnsAnswer<string>>;
}
