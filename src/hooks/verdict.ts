import { AppError, type ErrorCode } from '../errors.ts';
import { notBlank } from '../input/text-limits.ts';
import type { Verdict } from './formats/format.ts';
import { type Hook, unavailableMessage } from './hook.ts';
import type { SignUpDecision } from './sign-up-decision.ts';

const allowed: Verdict = { allow: true, action: null, decisionId: null, message: null };

/** Allows without a decision. */
export const allowUndecided = (): Verdict => allowed;

/** Blocks an address that no gate can look up. */
export const blockInvalid = ({ message }: Pick<Hook, 'message'>): Verdict => ({ ...allowed, allow: false, message });

/** The verdict of a decision; the hook's setting replaces a challenge. */
export function verdictOf(
  { action, decisionId, message }: SignUpDecision,
  hook: Pick<Hook, 'challenge' | 'message'>,
): Verdict {
  const allow = (action === 'challenge' ? hook.challenge : action) === 'allow';
  const shown = message !== null && notBlank.holds(message) ? message : hook.message;
  return { allow, action, decisionId, message: allow ? null : shown };
}

/** The answer when the service cannot decide. */
export function undecided({ unavailable }: Pick<Hook, 'unavailable'>): Verdict {
  return unavailable === 'allow' ? allowed : { ...allowed, allow: false, message: unavailableMessage };
}

const reasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  gate_not_found: 'the gate was deleted',
  rate_limit_exceeded: 'the throughput of the account is used up',
  quota_exceeded: 'the credits of the account are used up',
  pro_only: 'the plan of the account does not include Gates',
  service_unavailable: 'the storage is unavailable or too slow',
};

/** Why the service could not decide, for `last_error`. */
export function reasonOf(error: unknown): string {
  return (error instanceof AppError ? reasons[error.code] : undefined) ?? 'the service failed; see its log';
}
