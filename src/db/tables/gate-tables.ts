import type { Generated } from 'kysely';

/** A gate; `rule_ids` is the JSON list of its rules in order, so that reordering changes one row. */
export interface GatesTable {
  id: string;
  account_id: string;
  environment: string;
  name: string;
  description: string | null;
  default_action: string;
  /** JSON: the names of the slow facts that decisions wait for. */
  wait: string;
  rule_ids: string;
  /** The number of its current revision; 0 for a gate of version 0.1.0 that has not changed since. */
  revision: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** A rule of a gate; `body` is JSON. */
export interface GateRulesTable {
  id: string;
  gate_id: string;
  body: string;
  created_at: number;
  updated_at: number;
}

/** A revision of a gate: its author, its changes (JSON), and everything of the gate that can be changed (`body`, JSON). */
export interface GateRevisionsTable {
  gate_id: string;
  revision: number;
  changed_at: number;
  actor_kind: string | null;
  actor_id: string | null;
  name: string;
  default_action: string;
  rules_count: number;
  changes: string;
  /** Stored bytes. */
  size: number;
  /** Compressed JSON. */
  body: Uint8Array;
}

/** A removed gate whose log and counts are still to be removed. */
export interface RemovedGatesTable {
  id: string;
}

/** A logged decision until it is sealed into a segment; `email_key` is the address in lower case, or its keyed hash. */
export interface DecisionsTable {
  id: string;
  gate_id: string;
  action: string;
  rule_id: string | null;
  email_key: string | null;
  domain: string;
  ip: string | null;
  entry: string;
}

/** Hundreds of decisions, compressed, and the span of their ids. */
export interface DecisionSegmentsTable {
  no: Generated<number>;
  first_id: string;
  last_id: string;
  body: Uint8Array;
}

/** One segment, or many adjacent ones once they are merged; its number is the first one's. */
export interface DecisionBucketsTable {
  bucket: number;
  merged: number;
  first_id: string;
  last_id: string;
}

/** The terms that find the decisions in a bucket's segments; see `encodePostings`. */
export interface DecisionTermsTable {
  bucket: number;
  part: number;
  terms: Uint8Array;
}

/** The outcome of a logged decision; its action and the rules that matched it are copies for statistics. */
export interface DecisionOutcomesTable {
  gate_id: string;
  decision_id: string;
  outcome: string;
  reason: string | null;
  action: string;
  /** Separated by blanks. */
  rule_ids: string;
  /** The registrable domain that it is about; null for outcomes of earlier versions. */
  domain: string | null;
}

/** Decisions of a gate by hour and action. */
export interface DecisionCountsTable {
  gate_id: string;
  hour: number;
  action: string;
  decisions: number;
}

/** Matches of a rule by hour, while it was live and while it was in shadow mode. */
export interface RuleCountsTable {
  gate_id: string;
  hour: number;
  rule_id: string;
  name: string;
  matches: number;
  shadow_matches: number;
}

/** Decisions of all gates of an environment by hour, for each action. */
export interface EnvironmentCountsTable {
  account_id: string;
  environment: string;
  hour: number;
  allow: number;
  block: number;
  challenge: number;
}

/** Matches of a rule by day, while it was live. */
export interface RuleDaysTable {
  gate_id: string;
  day: number;
  rule_id: string;
  name: string;
  matches: number;
  shadow_matches: number;
}
