import { randomBytes } from 'node:crypto';
import { addressGroup } from '../accounts/address-group.ts';
import type { Plan } from '../accounts/plans.ts';
import { createThroughputLimiter } from '../accounts/throughput.ts';
import type { Actor } from '../actor.ts';
import { parseIp } from '../address/ip.ts';
import type { Feature, Shared } from '../feature.ts';
import type { ConsoleMount } from '../http/session-api/console-mount.ts';
import type { Knowledge } from '../knowledge/feature.ts';
import { createThrottledLog } from '../log.ts';
import { loadConsoleSecret } from './access/console-secret-store.ts';
import { createPasswords, type HashCost } from './access/passwords.ts';
import { createSecretTokens } from './access/secret-token.ts';
import { createSessionAdmission } from './access/session-admission.ts';
import { createSessions } from './access/sessions.ts';
import { createSessionsStore } from './access/sessions-store.ts';
import { createSignIn } from './access/sign-in.ts';
import { createSignInAttemptsStore } from './access/sign-in-attempts-store.ts';
import { createSignInThrottle } from './access/sign-in-throttle.ts';
import { createUsers, type Invitation } from './access/users.ts';
import { createUsersStore } from './access/users-store.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { consoleAccounts } from './adapters/accounts.ts';
import { consoleKeys } from './adapters/keys.ts';
import { consoleLists, consoleRefresh } from './adapters/lists.ts';
import { refreshProgressFile } from './adapters/refresh-progress-file.ts';
import { keysEndpoints } from './keys-endpoints.ts';
import { createListRefresh } from './list-refresh.ts';
import { listsEndpoints } from './lists-endpoints.ts';
import { createReadMe } from './me-body.ts';
import { meEndpoints } from './me-endpoints.ts';
import { signInEndpoints } from './sign-in-endpoints.ts';
import { createStaticFiles } from './static-files.ts';
import { usersEndpoints } from './users-endpoints.ts';

/** Requests a second that an account's users may make together: far more than the pages send. */
const requestsPerSecond = 100;
/** The service itself creates the first user's link. */
const atStart: Actor = { kind: 'service', id: 'start', from: null };

/** The console: users, sessions, sign-in, and the pages. */
export interface ConsoleFeature extends Feature {
  readonly mount: ConsoleMount;
  /** Creates a link for the first user; null once a user has signed in. */
  inviteFirst(): Promise<Invitation | null>;
}

export interface ConsoleParts {
  readonly plans: ReadonlyMap<string, Plan>;
  readonly knowledge: Knowledge;
  /** Evicts an account from this process's caches after the console changed it. */
  readonly forgetAccount: (accountId: string) => void;
  /** Where the built pages are. */
  readonly folder: string;
  /** The cost of password hashes; the usual one by default. */
  readonly hashCost?: HashCost;
}

/** Builds users, sessions, sign-in and the pages. */
export async function createConsoleFeature(
  shared: Shared,
  { plans, knowledge, forgetAccount, folder, hashCost }: ConsoleParts,
): Promise<ConsoleFeature> {
  const { db, now, monotonicMs } = shared;
  const secret = await loadConsoleSecret(db, () => randomBytes(32).toString('hex'));
  const { users, sessions, sessionsStore, signIn, prune } = createAccess(shared, secret, hashCost);
  const accounts = consoleAccounts(shared, plans, forgetAccount);
  const readMe = createReadMe(users, accounts);
  const ended = new AbortController();
  const refresh = createListRefresh(consoleRefresh(shared, ended.signal), refreshProgressFile(shared), now);
  const requests = createThroughputLimiter(monotonicMs);
  return {
    mount: {
      files: createStaticFiles(folder),
      sessions: createSessionAdmission({
        sessions,
        secret,
        accountCaller: accounts.caller,
        takeToken: (accountId) => requests.take({ accountId, plan: { rateLimit: requestsPerSecond } }),
      }),
    },
    endpoints: [
      ...signInEndpoints({ signIn, sessions, store: sessionsStore, users, readMe }),
      ...meEndpoints({
        signIn,
        sessions: sessionsStore,
        readMe,
        locationOf: (from) => locationIn(knowledge.ip, from),
      }),
      ...usersEndpoints(users),
      ...accountEndpoints(accounts),
      ...keysEndpoints(consoleKeys(shared, forgetAccount), now),
      ...listsEndpoints(consoleLists(shared, knowledge), refresh),
    ],
    inviteFirst: () => users.inviteFirst(atStart),
    jobs: [
      {
        name: 'prune-sessions',
        everyMs: 3_600_000,
        lease: { forMs: 7_200_000 },
        failure: 'expired sessions could not be removed; the next attempt is in an hour',
        run: prune,
      },
    ],
    async close() {
      ended.abort();
    },
  };
}

/** The city and country of an IP address, as far as they are known. */
function locationIn(ip: Pick<Knowledge['ip'], 'read'>, from: string): string | null {
  const address = parseIp(from);
  if (address === null) return null;
  const { city, country } = ip.read(address).geo;
  return [city, country].filter((part) => part !== null).join(', ') || null;
}

/** Users, their sessions and the ways to sign in. */
function createAccess({ db, log, now }: Shared, secret: string, hashCost: HashCost | undefined) {
  const logThrottled = createThrottledLog(log);
  const sessionTokens = createSecretTokens(secret, 'session');
  const linkTokens = createSecretTokens(secret, 'link');
  const usersStore = createUsersStore(db);
  const sessionsStore = createSessionsStore(db);
  const users = createUsers(usersStore, linkTokens, now);
  const sessions = createSessions(sessionsStore, sessionTokens, now);
  const throttle = createSignInThrottle(createSignInAttemptsStore(db), addressGroup, now);
  const signIn = createSignIn({
    users: usersStore,
    sessions: sessionsStore,
    sessionTokens,
    linkTokens,
    passwords: createPasswords(hashCost),
    throttle,
    now,
    onRefused: (code, from) => logThrottled('warn', `sign-in ${code}`, { code, address: from }, 'sign-in refused'),
  });
  const prune = async (): Promise<void> => {
    await sessions.prune();
    await throttle.prune();
  };
  return { users, sessions, sessionsStore, signIn, prune };
}
