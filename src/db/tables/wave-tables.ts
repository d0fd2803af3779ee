/** Sign-ups that arrived together and share a value; see `Wave`. */
export interface WavesTable {
  id: string;
  account_id: string;
  environment: string;
  kind: string;
  /** Null until a process that counted one of its decisions names it: counts have keyed hashes only. */
  value: string | null;
  /** The keyed hash of the value. */
  key: number;
  began_at: number;
  last_at: number;
  ended_at: number | null;
  addresses: number;
  domains: number;
  ips: number;
  allow: number;
  block: number;
  challenge: number;
  usual_per_hour: number;
  /** 1: variants of few mailboxes caused it. */
  by_spellings: number;
  verdict: string | null;
  created_at: number;
  /** JSON: the keyed hashes of what it counted. */
  members: Uint8Array;
  /** JSON: the marks of some of its decisions, by which the log finds them. */
  samples: string;
}

/** How an environment is monitored, and since when. */
export interface WaveSettingsTable {
  account_id: string;
  environment: string;
  enabled: number;
  min_addresses: number;
  factor: number;
  /** The first decision that was monitored. */
  first_at: number | null;
}

/** Values that raise no wave until a moment, by their keyed hashes. */
export interface WaveSilencesTable {
  account_id: string;
  environment: string;
  kind: string;
  key: number;
  until: number;
}

/** How many addresses each value had in an hour, by keyed hash. */
export interface TrafficHoursTable {
  account_id: string;
  environment: string;
  /** Hours since 1970, UTC. */
  hour: number;
  body: Uint8Array;
}
