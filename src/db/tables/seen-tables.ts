import type { Generated } from 'kysely';

/** A domain that an environment saw on a day whose rows are not sealed yet. */
export interface SeenDomainsTable {
  /** Days since 1970, UTC. */
  day: number;
  /** The labels of the domain from its end: `com.example.mail`. */
  name: string;
  account_id: string;
  environment: string;
  /** The domain's flags when it was first seen on that day; bits of `seen/flag-kinds.ts`. */
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

/** The days on which an environment saw a registrable domain. */
export interface SeenDaysTable {
  /** Account, environment and domain. */
  key: string;
  last_day: number;
  /** Bit n: seen n days before the last day. */
  days: number;
  /** The last day before those that the bits cover; null when there is none. */
  older_day: number | null;
}

/** A flagged domain of which an environment was notified. */
export interface FlaggedDomainsTable {
  account_id: string;
  environment: string;
  domain: string;
  kind: string;
  /** The day of the notification. */
  day: number;
}

/** A domain flagged by other sources than lists; environments that saw it before are still to be notified. */
export interface FlagSuspectsTable {
  domain: string;
  kind: string;
  noted_at: number;
}

/** The digest that was compared last. */
export interface FlagComparisonsTable {
  subject: string;
  compared: string;
}
