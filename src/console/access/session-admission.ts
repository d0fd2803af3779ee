import { hash } from 'node:crypto';
import type { Throughput } from '../../http/admission.ts';
import type { Caller, Environment } from '../../http/endpoint.ts';
import type { SessionAdmission, SessionUser } from '../../http/session-api/session-context.ts';
import type { Sessions } from './sessions.ts';

/** How a session becomes a caller. */
export interface SessionAdmissionParts {
  readonly sessions: Pick<Sessions, 'identify'>;
  readonly secret: string;
  /** An account as a caller without a key; null when it no longer exists. */
  accountCaller(accountId: string, environment: Environment): Promise<Caller | null>;
  takeToken(accountId: string): Throughput;
}

/** Admits requests to the console by session. */
export function createSessionAdmission({
  sessions,
  secret,
  accountCaller,
  takeToken,
}: SessionAdmissionParts): SessionAdmission {
  return {
    cookieSuffix: hash('sha256', `cookie ${secret}`).slice(0, 8),
    identify: sessions.identify,
    async callerOf({ accountId, userId }: SessionUser, environment) {
      const caller = await accountCaller(accountId, environment);
      return caller === null ? null : { ...caller, userId };
    },
    takeToken: ({ accountId }) => takeToken(accountId),
  };
}
