import type { DisposableMail } from '../mail/disposable-mx.ts';
import type { Dmarc } from '../mail/dmarc.ts';
import type { MxRecord } from '../mail/dns-source.ts';
import type { MxProvider } from '../mail/mx-providers.ts';
import type { Spf } from '../mail/spf.ts';
import type { Evidence, Reading } from '../reading.ts';
import type { SignalList } from './domain/list-signals.ts';

/** The lists of domains. */
export type ListName = SignalList | 'disposable' | 'spam';

/** The statements that sources make about names. */
export const sayings = ['disposable', 'public', 'relay', 'free_subdomain', 'spam', 'allowed'] as const;

/** One source's statement about a name. */
export interface Naming {
  /** The source's name; `operator` for the operator's own entries. */
  readonly source: string;
  readonly says: (typeof sayings)[number];
  /** The entry that matched: the name itself or one above it. */
  readonly entry: string;
  /** The date of the source's edition, ISO 8601; null where it has none. */
  readonly date: string | null;
}

/** No source names it; one shared list, because that is so for most names. */
export const noNamings: readonly Naming[] = Object.freeze([]);

/** The lists as signals need them. Names are ASCII, lower case. Every method is synchronous and allocates little. */
export interface ListSource {
  /** ISO date of the snapshot. */
  readonly builtAt: string;
  /** Another object after every change: earlier readings may be out of date. */
  readonly revision: object;
  /** Whether the list flags the name, by an entry for the name or for a parent. */
  isListed(list: ListName, name: string): boolean;
  /** Relays, public mail services, allowed, well-known or popular names: facts learnt about mail servers do not count against them. */
  isTrusted(name: string): boolean;
  /** The operator allows it. */
  isAllowed(name: string): boolean;
  /** Primary domain or app store URL of the service that operates a disposable domain; null when unidentified. */
  disposableProvider(name: string): string | null;
  /** Lower-case SHA-256 hex of a normalised address. */
  isDisposableAddress(sha256: string): boolean;
  /** False lets a caller skip the hash when the operator listed no address. */
  readonly hasDisposableAddresses: boolean;
  isRole(localPart: string): boolean;
  /** 1 to 5, longest suffix wins; null for an unknown TLD. */
  tldTrust(name: string): number | null;
  /** The corrected domain when the name looks like a misspelling of a well-known one; for a name that receives mail only a certain one. */
  suggest(name: string, receivesMail?: boolean): string | null;
  /** Evidence for the verdict of a list, or for the trust in the TLD. */
  explain(list: ListName | 'tld', name: string): Evidence[];
  /** Every source that names it, whatever follows from it. */
  namedBy(name: string): readonly Naming[];
}

/** Popularity rank of a registrable domain (1 is the most popular); null when it is not ranked. */
export interface RankSource {
  rank(registrable: string): number | null;
  /** Which ranking says so, and of which day it is. */
  explain(registrable: string): Evidence[];
  /** A ranking is there, so that a name without a rank is known to have none. */
  readonly isLoaded: boolean;
}

/** Facts from the DNS about a domain's mail, as far as currently known. */
export interface MailFacts {
  readonly mx: Reading<readonly MxRecord[]>;
  readonly mxProviders: readonly MxProvider[];
  /** The disposable service that receives the mail; it names the operator of a domain listed as disposable. */
  readonly disposableMx: string | null;
  /** Set when every mail host is a disposable service's: such a domain is disposable without being listed. */
  readonly disposableMail: DisposableMail | null;
  readonly spf: Reading<Spf>;
  readonly dmarc: Reading<Dmarc>;
  /** Listed in one of the operator's DNS blocklist zones. */
  readonly dnsbl: Reading<boolean>;
}

/** Facts from the network about a domain. */
export interface DomainFacts extends MailFacts {
  /** When the registrable domain was registered, epoch ms. */
  readonly registeredAtMs: Reading<number>;
  readonly rank: number | null;
  /** A name without a rank is known to have none. */
  readonly isRankingLoaded: boolean;
  /** Who ranked it; only `explain` asks. */
  readonly ranking: Pick<RankSource, 'explain'>;
}
