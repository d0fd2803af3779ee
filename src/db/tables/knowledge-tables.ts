/** Something learnt from the network about a domain; `value` is JSON. */
export interface FactsTable {
  domain: string;
  kind: string;
  value: string;
  source: string;
  learnt_at: number;
}

/** A domain whose mail goes to a mail server. */
export interface MailHostDomainsTable {
  host: string;
  domain: string;
  seen_at: number;
}

/** A mail server learnt to belong to disposable services, by the domains that point to it. */
export interface LearntMailHostsTable {
  host: string;
  listed: number;
  others: number;
}

/** A domain, or the hash of an address, on one of the operator's own lists. */
export interface OperatorEntriesTable {
  list: string;
  entry: string;
  added_at: number;
}

/** A list file that all instances share; `state` is JSON. */
export interface SharedFilesTable {
  name: string;
  sha256: string;
  size: number;
  modified_at: number;
  state: string | null;
  shared_at: number;
}

export interface SharedFilePartsTable {
  sha256: string;
  part: number;
  bytes: Uint8Array;
  stored_at: number;
}

/** A process and the lists it uses; `seen_at` is by the clock of the database. */
export interface ListUsersTable {
  id: string;
  host: string;
  version: string;
  fingerprint: string;
  built_at: string;
  seen_at: number;
}
