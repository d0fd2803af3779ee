import type { Generated } from 'kysely';

/** A domain that an environment saw on a day that is not sealed yet. */
export interface SeenDomainsTable {
  /** Days since 1970, UTC. */
  day: number;
  /** The labels of the domain from its end: `com.example.mail`. */
  name: string;
  account_id: string;
  environment: string;
  /** What the domain was flagged as when it was first seen on that day; bits of `seen/flag-kinds.ts`. */
  flagged: number;
}

/** Domains seen on one day, compressed, in the order of their names. */
export interface SeenBlocksTable {
  no: Generated<number>;
  day: number;
  first_name: string;
  last_name: string;
  entries: number;
  body: Uint8Array;
}

/** A domain that an environment was told of. */
export interface FlaggedDomainsTable {
  account_id: string;
  environment: string;
  domain: string;
  kind: string;
  /** When it was told. */
  day: number;
}

/** A domain that is flagged by something else than lists: whoever saw it before is still to be told. */
export interface FlagSuspectsTable {
  domain: string;
  kind: string;
  noted_at: number;
}

/** What was compared last. */
export interface FlagComparisonsTable {
  subject: string;
  compared: string;
}
