import type { Action } from '../gates/rules/action.ts';
import type { Condition } from '../gates/rules/condition.ts';
import type { MatchMode, RuleMode } from '../gates/rules/rule.ts';
import type { DomainSignals, EmailSignals } from './answer.ts';

/** Options of the engine; by default it queries the machine's DNS servers and keeps its data in `./var`. */
export interface SignalsOptions {
  /** Where lists and learnt facts are kept; processes may share it, a running service included. */
  readonly dataDir?: string;
  /** Make no network requests: signals that need the network are unknown. */
  readonly offline?: boolean;
  readonly dns?: {
    /** Addresses such as `9.9.9.9` or `127.0.0.1:5353`; those of the machine by default. */
    readonly servers?: readonly string[];
    /** How long one query may take, including the queries it causes; 800 by default. */
    readonly deadlineMs?: number;
    /** Names that every honest server resolves, with which servers are probed; false disables probes. */
    readonly mustExist?: readonly string[] | false;
    /** Zones of DNS blocklists to query. */
    readonly blocklists?: readonly string[];
  };
  /** Download newer lists once a day. */
  readonly refreshLists?: boolean;
  /** The minimum level logged to standard error; warnings by default. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info';
}

/** Options of one lookup or decision. */
export interface AskOptions {
  /** Wait for the slow facts: the age of the domain and the signals that depend on it. */
  readonly wait?: boolean;
}

/** A rule as in the Gates API, with the same defaults. */
export interface GateRule {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly action: Action;
  readonly match?: MatchMode;
  readonly stop?: boolean;
  readonly enabled?: boolean;
  readonly mode?: RuleMode;
  readonly message?: string | null;
  readonly description?: string | null;
}

/** Ordered rules with the default action; or `signup`, the rules of a new gate. */
export type GateRules =
  | 'signup'
  | readonly GateRule[]
  | { readonly default_action: Action; readonly rules: readonly GateRule[] };

/** The subject of a decision. */
export type DecisionSubject = ({ readonly email: string } | { readonly domain: string }) & { readonly ip?: string };

/** The decision of the rules on a subject. */
export interface RuleDecision {
  readonly action: Action;
  /** Null when no rule matched and the default action applies. */
  readonly matched_rule: { readonly name: string; readonly message: string | null } | null;
  /** The names of the shadow rules that matched; they never decide. */
  readonly shadow_matched: readonly string[];
}

/** The Signalpost engine in your own process. */
export interface Signals {
  /** Every signal of an address; null when the text is not a valid address. */
  email(address: string, options?: AskOptions): Promise<EmailSignals | null>;
  /** Every signal of a domain; null when the text is not a valid domain. */
  domain(domain: string, options?: AskOptions): Promise<DomainSignals | null>;
  /** Reads the signals of an address from the lists, without a promise: nothing is queried, so mail and age are unknown. */
  emailNow(address: string): EmailSignals | null;
  /** Reads the signals of a domain from the lists, without a promise: nothing is queried, so mail and age are unknown. */
  domainNow(domain: string): DomainSignals | null;
  /**
   * Decides by rules, which are validated and compiled once per object. Throws an error
   * with a `code`: `invalid_email`, `invalid_domain`, `invalid_ip`, or `validation_failed` with the `errors` of the rules.
   */
  decide(rules: GateRules, subject: DecisionSubject, options?: AskOptions): Promise<RuleDecision>;
  /** The same from the lists alone, without a promise. */
  decideNow(rules: GateRules, subject: DecisionSubject): RuleDecision;
  /** Writes learnt facts and closes files and timers; it cannot be used afterwards. */
  close(): Promise<void>;
}
