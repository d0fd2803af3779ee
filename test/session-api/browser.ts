import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { loadConsoleSecret } from '../../src/console/access/console-secret-store.ts';
import { createSecretTokens } from '../../src/console/access/secret-token.ts';
import { createUsers, type Users } from '../../src/console/access/users.ts';
import { createUsersStore } from '../../src/console/access/users-store.ts';
import type { Role } from '../../src/http/session-api/session-context.ts';
import { documentedResponses } from '../documented-responses.ts';
import { type InjectedRequest, inject, type Response } from '../inject.ts';
import type { StartedApp } from '../start-app.ts';
import { tester } from '../tester.ts';

type Method = InjectedRequest['method'];

/** What a request of a browser may have besides. */
export interface BrowserOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAddress?: string;
}

/** A browser with one jar of cookies, on the console's own pages. */
export interface Browser {
  /** The cookie it holds, as it would be sent; empty without one. */
  cookie: string;
  /** Calls `/console/api` + path. */
  call<T = Record<string, unknown>>(method: Method, path: string, options?: BrowserOptions): Promise<Response<T>>;
  signIn(credentials: object): Promise<Response<{ user: { id: string }; account: { id: string } }>>;
}

/** A browser that came from the pages of the service: same origin, cookies kept. */
export function openBrowser(started: StartedApp): Browser {
  const mustBeDocumented = documentedResponses(started.app.consoleOpenapi);
  const browser: Browser = {
    cookie: '',
    async call(method, path, { body, headers = {}, remoteAddress } = {}) {
      const answer = await inject<never>(started.app.server, {
        method,
        path: `/console/api${path}`,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(browser.cookie === '' ? {} : { cookie: browser.cookie }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
      });
      // The console's types are generated from the document.
      if (answer.status < 300) mustBeDocumented(method, path, answer);
      const [set] = (answer.headers['set-cookie'] ?? '').split(';');
      if (set !== undefined && set !== '') browser.cookie = set.endsWith('=') ? '' : set;
      return answer;
    },
    signIn: (body) => browser.call('POST', '/sign-in', { body }),
  };
  return browser;
}

/** Users of a service in a test, as the command line manages them. */
export async function usersOf(started: StartedApp): Promise<Users> {
  const secret = await loadConsoleSecret(started.db, () => randomBytes(32).toString('hex'));
  return createUsers(createUsersStore(started.db), createSecretTokens(secret, 'link'), started.clock.now);
}

let made = 0;

/** A new user of an account, signed in by a link. */
export async function signedIn(
  started: StartedApp,
  {
    accountId = started.first.id,
    role = 'member',
    email = `user${++made}@example.com`,
  }: { accountId?: string; role?: Role; email?: string } = {},
): Promise<Browser & { readonly userId: string; readonly email: string }> {
  const { user, link } = await (await usersOf(started)).create({ accountId, email, role }, tester);
  const browser = openBrowser(started);
  const { status, text } = await browser.signIn({ token: link.token });
  assert.equal(status, 200, text);
  return Object.assign(browser, { userId: user.id, email });
}
