import type { IpKnowledge } from '../../ip/ip-knowledge.ts';

/** What a rule can see of the address; null leaves are unknown. */
export interface EmailSignals {
  readonly address: string;
  readonly normalized: string;
  readonly localPart: string;
  readonly localPartLength: number;
  readonly subaddress: string | null;
  /** The address alone; the domain has its own. */
  readonly disposable: boolean | null;
  readonly roleAccount: boolean | null;
}

/** One mail exchanger of the domain. */
export interface MxRecordSignal {
  readonly hostname: string;
  readonly priority: number;
}

/** A third party the domain delegates its mail to. */
export interface MxProviderSignal {
  readonly slug: string;
  readonly type: string;
  readonly grade: string;
}

/** What a rule can see of the domain; null leaves are unknown, an empty list is a known answer. */
export interface DomainSignals {
  readonly name: string;
  readonly registrable: string | null;
  readonly tld: string | null;
  readonly sld: string | null;
  readonly subdomain: string | null;
  readonly domainAuthority: number | null;
  readonly tldTrust: number | null;
  readonly ageDays: number | null;
  readonly mx: boolean | null;
  readonly mxRecords: readonly MxRecordSignal[] | null;
  readonly mxProviders: readonly MxProviderSignal[] | null;
  readonly spf: string | null;
  readonly dmarc: string | null;
  readonly disposable: boolean | null;
  readonly disposableProvider: string | null;
  readonly publicDomain: boolean | null;
  readonly relayDomain: boolean | null;
  readonly freeSubdomain: boolean | null;
  readonly spam: boolean | null;
  readonly didYouMean: string | null;
  readonly blocklisted: boolean | null;
}

/** What a rule can see of the IP address; null leaves are unknown. */
export type IpSignals = IpKnowledge;

/** Everything a gate decides from: no `email` for a domain input, no `ip` when none was sent. */
export interface DecisionSignals {
  readonly email: EmailSignals | null;
  readonly domain: DomainSignals;
  readonly ip: IpSignals | null;
}
