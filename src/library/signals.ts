import type { Action } from '../gates/rules/action.ts';
import type { Condition } from '../gates/rules/condition.ts';
import type { MatchMode, RuleMode } from '../gates/rules/rule.ts';
import type { DomainSignals, EmailSignals } from './answer.ts';

/** How the engine is opened; without options it asks the DNS servers of the machine and keeps its data in `./var`. */
export interface SignalsOptions {
  /** Where lists and learnt facts are kept; processes may share it, a running service included. */
  readonly dataDir?: string;
  /** Ask nobody: what the network would tell is unknown. */
  readonly offline?: boolean;
  readonly dns?: {
    /** Addresses such as `9.9.9.9` or `127.0.0.1:5353`; those of the machine unless said otherwise. */
    readonly servers?: readonly string[];
    /** How long one question may take with all it leads to; 800 unless said otherwise. */
    readonly deadlineMs?: number;
    /** Names every honest server knows, by which a server proves itself; false asks for no proof. */
    readonly mustExist?: readonly string[] | false;
    /** Zones of DNS blocklists to ask. */
    readonly blocklists?: readonly string[];
  };
  /** Download newer editions of the lists once a day. */
  readonly refreshLists?: boolean;
  /** What goes to standard error; warnings unless said otherwise. */
  readonly logLevel?: 'silent' | 'error' | 'warn' | 'info';
}

/** How one question is asked. */
export interface AskOptions {
  /** Hold the answer for the slow facts: the age of the domain and what follows from it. */
  readonly wait?: boolean;
}

/** A rule as in the API of Gates; what is left out has the same standard value as there. */
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

/** Rules in their order, with what is answered when none matches; or `signup`, the rules a new gate starts with. */
export type GateRules =
  | 'signup'
  | readonly GateRule[]
  | { readonly default_action: Action; readonly rules: readonly GateRule[] };

/** Who is decided about. */
export type DecisionSubject = ({ readonly email: string } | { readonly domain: string }) & { readonly ip?: string };

/** What rules say of a subject. */
export interface RuleDecision {
  readonly action: Action;
  /** Null when no rule matched and the default action applies. */
  readonly matched_rule: { readonly name: string; readonly message: string | null } | null;
  /** The names of the shadow rules that matched; they never decide. */
  readonly shadow_matched: readonly string[];
}

/** The engine of Signalpost in your own process. */
export interface Signals {
  /** Everything known of an address; null when the text is no valid address. */
  email(address: string, options?: AskOptions): Promise<EmailSignals | null>;
  /** Everything known of a domain; null when the text is no valid domain. */
  domain(domain: string, options?: AskOptions): Promise<DomainSignals | null>;
  /** What the lists tell of an address, at once: nobody is asked, so mail and age are unknown. */
  emailNow(address: string): EmailSignals | null;
  /** What the lists tell of a domain, at once: nobody is asked, so mail and age are unknown. */
  domainNow(domain: string): DomainSignals | null;
  /**
   * What rules say. They are checked and compiled the first time, and kept with the object they came in. Throws an error
   * with a `code`: `invalid_email`, `invalid_domain`, `invalid_ip`, or `validation_failed` with the `errors` of the rules.
   */
  decide(rules: GateRules, subject: DecisionSubject, options?: AskOptions): Promise<RuleDecision>;
  /** The same from what the lists tell, at once. */
  decideNow(rules: GateRules, subject: DecisionSubject): RuleDecision;
  /** Writes what was learnt and lets go of files and timers; nothing may be asked afterwards. */
  close(): Promise<void>;
}
