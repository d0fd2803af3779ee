import type { DecisionSignals } from '../gates/rules/signals.ts';
import type { Owner } from '../http/endpoint.ts';
import type { WaveKind } from './wave-kind.ts';

export const waveStates = ['open', 'ended'] as const;
export type WaveState = (typeof waveStates)[number];

/** A user's verdict on a wave; `fine` also silences its value. */
export const verdicts = ['attack', 'fine'] as const;
export type Verdict = (typeof verdicts)[number];

/** Sign-ups that arrived together and share a value. */
export interface Wave {
  readonly id: string;
  readonly kind: WaveKind;
  /**
   * A mailbox as the log shows addresses, the beginning of a device's hash, a registrable domain, the registrable domain or host of a
   * mail server, a CIDR block or `AS…`, a shape such as `aaaa999`, or `new domains`.
   */
  readonly value: string;
  /** Its addresses arrived within a day rather than an hour. */
  readonly isSlow: boolean;
  /** None of its decisions in the ten minutes before its last new address was allowed. */
  readonly isStopped: boolean;
  readonly beganAtMs: number;
  /** When its last new address arrived. */
  readonly lastAtMs: number;
  /** Null while it is open. */
  readonly endedAtMs: number | null;
  /** Distinct addresses; of a network or mailbox distinct spellings, of new domains distinct domains. */
  readonly addresses: number;
  readonly domains: number;
  readonly ips: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
  readonly usualPerHour: number;
  /** The threshold of its window; null for waves of earlier versions. */
  readonly threshold: number | null;
  readonly verdict: Verdict | null;
  readonly createdAtMs: number;
}

/** One of a wave's decisions: when it was made, and the end of its id. */
export type SampleMark = readonly [atMs: number, idEnd: string];

export interface StoredWave extends Wave {
  readonly owner: Owner;
  readonly samples: readonly SampleMark[];
}

/** The numbers of a wave's members that were reported good and bad. */
export interface Confirmed {
  readonly confirmedBad: number;
  readonly confirmedGood: number;
}

/** A wave with the outcomes of its members. */
export interface ConfirmedWave extends StoredWave, Confirmed {}

/** How an environment is monitored. */
export interface WaveSettings {
  readonly enabled: boolean;
  readonly minAddresses: number;
  readonly factor: number;
}

export const standardSettings: WaveSettings = { enabled: true, minAddresses: 8, factor: 5 };

/** The two outcomes of a decision. */
export const reportedOutcomes = ['good', 'bad'] as const;
export type ReportedOutcome = (typeof reportedOutcomes)[number];

/** An allowed decision of a wave, with the outcome that it has. */
export interface AllowedDecision extends WaveSample {
  readonly outcome: ReportedOutcome | null;
}

/** Reports the outcomes of a wave's allowed decisions. A decision with an outcome of another origin keeps it. */
export interface WaveOutcomes {
  /** The decisions, newest first, with their new outcomes, and the number of changes. */
  report(
    wave: StoredWave,
    allowed: readonly SampleMark[],
    outcome: ReportedOutcome,
  ): Promise<{ readonly reported: number; readonly decisions: readonly AllowedDecision[] }>;
  /** Removes the outcomes that were reported for the wave. */
  undo(wave: StoredWave, allowed: readonly SampleMark[]): Promise<void>;
}

/** The logged decision of a wave. */
export interface WaveSample {
  readonly decisionId: string;
  readonly gateId: string;
  readonly email: string;
  readonly ip: string | null;
  readonly action: string;
  readonly createdAtMs: number;
}

/** A logged decision of a wave. */
export interface LoggedDecision {
  readonly id: string;
  readonly gateId: string;
  /** The rule that decided; null for the default action. */
  readonly ruleId: string | null;
  readonly action: string;
  readonly createdAtMs: number;
  readonly outcome: ReportedOutcome | null;
  /** Reads the rest of its entry. */
  read(): LoggedDetails;
}

export interface LoggedDetails {
  readonly email: string;
  readonly ip: string | null;
  readonly ruleName: string | null;
  readonly signals: DecisionSignals;
}
