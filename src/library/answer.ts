// Made from the signals by scripts/library-types.ts; do not edit.

/** Signals of a domain; null is unknown. */
export interface DomainSignals {
  readonly domain: string;
  /** How established the domain is, 0 to 100. */
  readonly domain_authority: number | null;
  /** How strict the TLD is about its registrants, 1 to 5. */
  readonly tld_trust: number | null;
  /** Whole days since the domain was registered. */
  readonly domain_age_in_days: number | null;
  /** The domain has valid MX records. */
  readonly mx: boolean | null;
  /** The usable MX records, best first. */
  readonly mx_records: ReadonlyArray<{
    readonly hostname: string;
    readonly priority: number;
  }>;
  /** The services that handle the mail of the domain, with kind and grade. */
  readonly mx_providers: ReadonlyArray<{
    readonly slug: string;
    readonly type: string;
    readonly grade: string;
  }>;
  /** strict, relaxed, neutral, permissive, missing or invalid. */
  readonly spf: 'strict' | 'relaxed' | 'neutral' | 'permissive' | 'missing' | 'invalid' | null;
  /** reject, quarantine, none, missing or invalid. */
  readonly dmarc: 'reject' | 'quarantine' | 'none' | 'missing' | 'invalid' | null;
  /** The domain belongs to a disposable-email service. */
  readonly disposable: boolean;
  /** The service that operates the disposable domain. Only when disposable is true. */
  readonly disposable_provider?: string | null | undefined;
  /** Anyone can open a mailbox at this domain. */
  readonly public_domain: boolean;
  /** The domain forwards to hidden mailboxes. */
  readonly relay_domain: boolean;
  /** The domain is a name under a service where anyone gets one for free. */
  readonly free_subdomain: boolean;
  /** The domain is associated with spam or abuse. */
  readonly spam: boolean;
  /** The well-known domain this one looks like a misspelling of; unknown when there is none. */
  readonly did_you_mean: string | null;
}

/** Signals of an address and of its domain; null is unknown. */
export interface EmailSignals extends DomainSignals {
  /** As it was given. */
  readonly email: string;
  /** The canonical form of the address: tags and provider aliases removed. */
  readonly normalized_email: string;
  /** The address belongs to a function or a team (info@, support@). */
  readonly role_account: boolean;
  /** Deprecated: the submitted address contains a + tag. */
  readonly alias: boolean;
}
