import type { Owner } from '../http/endpoint.ts';
import type { FormatName } from './formats/all.ts';

/** The two answers that an auth server understands. */
export const hookAnswers = ['allow', 'block'] as const;
export type HookAnswerName = (typeof hookAnswers)[number];

/** The settings that users choose for a hook. */
export interface HookSettings {
  readonly name: string;
  readonly gateId: string;
  readonly enabled: boolean;
  /** The answer when the gate says `challenge`: no auth server can show one. */
  readonly challenge: HookAnswerName;
  /** The answer when the service cannot decide. */
  readonly unavailable: HookAnswerName;
  /** Shown to a blocked visitor when the deciding rule has no message. */
  readonly message: string;
}

/** A URL at which an auth server asks a gate about a sign-up. */
export interface Hook extends HookSettings {
  readonly id: string;
  readonly owner: Owner;
  readonly format: FormatName;
  readonly secrets: HookSecrets;
  readonly lastCallAtMs: number | null;
  readonly lastError: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The secrets that open a hook. */
export interface HookSecrets {
  /** Null before one is set, and when it was encrypted with another key than this service has. */
  readonly current: string | null;
  readonly isSet: boolean;
  /** The previous secret, for a day after its replacement. */
  readonly old: { readonly secret: string | null; readonly untilMs: number } | null;
}

/** The result of a call. */
export const callResults = ['allow', 'block', 'no_email', 'unavailable', 'rejected', 'disabled'] as const;
export type CallResult = (typeof callResults)[number];

/** The number of calls with each result in a span. */
export type CallCounts = Readonly<Record<CallResult, number>>;

export const noCalls: CallCounts = Object.freeze({
  allow: 0,
  block: 0,
  no_email: 0,
  unavailable: 0,
  rejected: 0,
  disabled: 0,
});

/** The maximum number of hooks in an environment. */
export const maxHooks = 20;

/** How long a replaced secret is still accepted. */
export const oldSecretMs = 86_400_000;

export const defaultMessage = 'This email address cannot be used to sign up.';

/** Shown to a visitor who is blocked by `unavailable: block`. */
export const unavailableMessage = 'Sign-up is not possible right now. Please try again later.';

/** The part of a secret that may be shown. */
export const secretHint = (secret: string | null): string | null => secret?.slice(-4) ?? null;

/** The secrets that a call may be signed with, the current one first. */
export function acceptedSecrets({ current, old }: HookSecrets, nowMs: number): readonly string[] {
  const previous = old !== null && old.untilMs > nowMs ? old.secret : null;
  return [current, previous].filter((secret) => secret !== null);
}
