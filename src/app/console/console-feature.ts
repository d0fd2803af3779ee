import { randomBytes } from 'node:crypto';
import { addressGroup } from '../../accounts/address-group.ts';
import { createThroughputLimiter } from '../../accounts/throughput.ts';
import type { Actor } from '../../actor.ts';
import { loadConsoleSecret } from '../../console/access/console-secret-store.ts';
import { createPasswords } from '../../console/access/passwords.ts';
import { createSecretTokens } from '../../console/access/secret-token.ts';
import { createSessionAdmission } from '../../console/access/session-admission.ts';
import { createSessions } from '../../console/access/sessions.ts';
import { createSessionsStore } from '../../console/access/sessions-store.ts';
import { createSignIn } from '../../console/access/sign-in.ts';
import { createSignInThrottle } from '../../console/access/sign-in-throttle.ts';
import { createSignInTriesStore } from '../../console/access/sign-in-tries-store.ts';
import { createUsers, type Invitation } from '../../console/access/users.ts';
import { createUsersStore } from '../../console/access/users-store.ts';
import { accountEndpoints } from '../../console/account-endpoints.ts';
import { keysEndpoints } from '../../console/keys-endpoints.ts';
import { createListRefresh } from '../../console/list-refresh.ts';
import { listsEndpoints } from '../../console/lists-endpoints.ts';
import { createMeBody } from '../../console/me-body.ts';
import { meEndpoints } from '../../console/me-endpoints.ts';
import { signInEndpoints } from '../../console/sign-in-endpoints.ts';
import { createStaticFiles } from '../../console/static-files.ts';
import { usersEndpoints } from '../../console/users-endpoints.ts';
import type { ConsoleServing } from '../../http/console/console-serving.ts';
import { createSeldomLog } from '../../log.ts';
import { repeat } from '../../platform/repeat.ts';
import type { AccountsFeature } from '../accounts-feature.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Knowledge } from '../knowledge.ts';
import { listsForConsole, refreshForConsole } from './lists-for-console.ts';
import { refreshProgressFile } from './refresh-progress-file.ts';

const pruneMs = 3_600_000;
/** Requests a second that the people of one account have together: far more than pages ask for. */
const visitsPerSecond = 100;
/** Nobody asked for it. */
const atStart: Actor = { kind: 'service', id: 'start', from: null };

/** The console: who may come in, and what is served there. */
export interface ConsoleFeature extends Feature {
  readonly serving: ConsoleServing;
  /** A link for the first user; null once anybody has signed in. */
  inviteFirst(): Promise<Invitation | null>;
}

/** Builds users, sessions, the ways in and the pages. */
export async function createConsoleFeature(
  shared: Shared,
  accounts: AccountsFeature,
  knowledge: Knowledge,
  folder: string,
): Promise<ConsoleFeature> {
  const { db, log, now, monotonicMs } = shared;
  const secret = await loadConsoleSecret(db, () => randomBytes(32).toString('hex'));
  const logSeldom = createSeldomLog(log);
  const sessionTokens = createSecretTokens(secret, 'session');
  const linkTokens = createSecretTokens(secret, 'link');
  const usersStore = createUsersStore(db);
  const sessionsStore = createSessionsStore(db);
  const users = createUsers(usersStore, linkTokens, now);
  const sessions = createSessions(sessionsStore, sessionTokens, now);
  const throttle = createSignInThrottle(createSignInTriesStore(db), addressGroup, now);
  const signIn = createSignIn({
    users: usersStore,
    sessions: sessionsStore,
    sessionTokens,
    linkTokens,
    passwords: createPasswords(),
    throttle,
    now,
    onRefused: (code, from) => logSeldom('warn', `sign-in ${code}`, { code, address: from }, 'sign-in refused'),
  });
  const meBody = createMeBody(users, accounts.console);
  const ended = new AbortController();
  const refresh = createListRefresh(refreshForConsole(shared, ended.signal), refreshProgressFile(shared), now);
  const visits = createThroughputLimiter(monotonicMs);
  const prunes = repeat(
    pruneMs,
    async () => {
      await sessions.prune();
      await throttle.prune();
    },
    (error) => log.warn({ err: error }, 'sessions that ended are not removed yet'),
  );
  return {
    serving: {
      files: createStaticFiles(folder),
      sessions: createSessionAdmission({
        sessions,
        secret,
        accountCaller: accounts.console.caller,
        takeToken: (accountId) => visits.take({ accountId, plan: { rateLimit: visitsPerSecond } }),
      }),
      endpoints: [
        ...signInEndpoints({ signIn, sessions, store: sessionsStore, users, meBody }),
        ...meEndpoints(signIn, sessionsStore, meBody),
        ...usersEndpoints(users),
        ...accountEndpoints(accounts.console),
        ...keysEndpoints(accounts.consoleKeys, now),
        ...listsEndpoints(listsForConsole(shared, knowledge), refresh),
      ],
    },
    inviteFirst: () => users.inviteFirst(atStart),
    endpoints: [],
    follows: [],
    metrics: [],
    async close() {
      ended.abort();
      await prunes.stop();
    },
  };
}
