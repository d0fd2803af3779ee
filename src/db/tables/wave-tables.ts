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
  /** The count in a window from which on it was a wave; null for waves of earlier versions. */
  threshold: number | null;
  verdict: string | null;
  created_at: number;
  /** 1: its addresses arrived within a day rather than an hour. */
  slow: number;
  /** 1: none of its last decisions was allowed. */
  stopped: number;
  /** JSON: the values that surged, by their kinds and keyed hashes. */
  shared_values: string;
  /** JSON: the same, and values that later decisions of the attack may share. */
  links: string;
  /** Decisions with one of its values belong to it until this moment. */
  above_until: number;
  /** Decisions until this moment are counted. */
  counted_through: number;
  /** JSON: the marks of some of its decisions, by which the log finds them. */
  samples: string;
}

/** The decisions of a wave, as keyed hashes, in the chunks in which they were detected. */
export interface WaveMembersTable {
  wave_id: string;
  no: number;
  body: Uint8Array;
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
