import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testCaller } from '../../../test/test-caller.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { schema } from '../../input/schema.ts';
import { same, wireOf } from '../answers/wire-fields.ts';
import { type Access, type Endpoint, endpoint } from '../endpoint.ts';
import { accountEndpoint } from './account-endpoint.ts';
import { consoleDocument } from './console-document.ts';
import type { Role, SessionAdmission, SessionUser } from './session-context.ts';

const requestsLeft = 7;

const userOf = (role: Role): SessionUser => ({
  userId: `the-${role}`,
  accountId: 'account',
  role,
  session: { id: 's', createdAtMs: 0, endsAtMs: 1, byLink: false },
});
const users: Readonly<Record<string, SessionUser>> = { member: userOf('member'), operator: userOf('operator') };

const sessions: SessionAdmission = {
  cookieSuffix: 'test',
  identify: async (token) => users[token] ?? null,
  callerOf: async ({ accountId, userId }, environment) => ({ ...testCaller({ accountId }), environment, userId }),
  takeToken: () => ({ allowed: true, limit: requestsLeft, remaining: requestsLeft, retryAfterSeconds: 0 }),
};

interface Answer {
  readonly by: string;
  readonly from: string;
}

const response = wireOf<Answer>(same<Answer>({ by: schema.string(), from: schema.string() }));

function inEnvironment(access: Access): Endpoint {
  return endpoint({
    method: 'GET',
    path: `/v1/for-${access}`,
    operationId: `for-${access}`,
    summary: 'Test endpoint',
    family: 'gates',
    plan: 'any',
    credits: 0,
    errors: [],
    access,
    response,
    handle: (_sent, { author, baseUrl }) => ({ by: author.by.id, from: baseUrl }),
  });
}

function ofAccount(accountRole: 'visitor' | Role): Endpoint {
  return endpoint({
    ...accountEndpoint,
    accountRole,
    method: 'POST',
    path: `/for-${accountRole}`,
    operationId: `for-${accountRole}`,
    summary: 'Test endpoint',
    response,
    handle: (_sent, { session, baseUrl }) => ({
      by: accountRole === 'visitor' ? 'no one' : session.sessionUser.userId,
      from: baseUrl,
    }),
  });
}

const endpoints = [
  ...(['key', 'session', 'both'] as const).map(inEnvironment),
  ...(['visitor', 'member', 'operator'] as const).map(ofAccount),
];

describe('an endpoint', () => {
  let made: TestServer;
  let key: string;
  before(async () => {
    made = await startTestServer({
      endpoints,
      console: { sessions, files: { find: () => null, page: () => null } },
    });
    key = await made.createKey();
  });
  after(() => made.close());

  /** A request of one of our own pages; `token` is that of the session cookie. */
  const fromPage = (method: 'GET' | 'POST', path: string, token?: string) =>
    made.request<{ by: string; from: string }>(method, `/console/api${path}`, {
      headers: {
        host: 'localhost:1',
        'sec-fetch-site': 'same-origin',
        ...(token === undefined ? {} : { cookie: `signalpost_test=${token}` }),
      },
    });
  const withKey = (path: string) => made.request('GET', path, { key });

  describe('200', () => {
    it('for keys alone is served to a key', async () => {
      assert.equal((await withKey('/v1/for-key')).status, 200);
    });

    it('for sessions alone is served to a signed-in user, whom its handler sees as the author', async () => {
      const { status, json } = await fromPage('GET', '/staging/v1/for-session', 'member');
      assert.deepEqual([status, json], [200, { by: 'the-member', from: 'http://localhost:1/console/api/staging' }]);
    });

    it('for both is served to a key and to a signed-in user', async () => {
      assert.equal((await withKey('/v1/for-both')).status, 200);
      assert.equal((await fromPage('GET', '/production/v1/for-both', 'member')).status, 200);
    });

    it('outside of environments is served below the console, with the session', async () => {
      const { status, json, headers } = await fromPage('POST', '/for-operator', 'operator');
      assert.deepEqual([status, json], [200, { by: 'the-operator', from: 'http://localhost:1/console/api' }]);
      assert.equal(headers['x-ratelimit-remaining'], String(requestsLeft));
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    });

    it('for visitors is served without a session', async () => {
      assert.equal((await fromPage('POST', '/for-visitor')).status, 200);
    });
  });

  describe('401', () => {
    it('for a member rejects a request without a session, with an unknown one, or with a key', async () => {
      assert.equal((await fromPage('POST', '/for-member')).status, 401);
      assert.equal((await fromPage('POST', '/for-member', 'unknown')).status, 401);
      const headers = { host: 'localhost:1', 'sec-fetch-site': 'same-origin' };
      assert.equal((await made.request('POST', '/console/api/for-member', { key, headers })).status, 401);
      assert.equal((await made.request('GET', '/console/api/production/v1/for-both', { key, headers })).status, 401);
    });
  });

  describe('403', () => {
    it('for an operator rejects a member', async () => {
      const { status, text } = await fromPage('POST', '/for-operator', 'member');
      assert.equal(status, 403);
      assert.match(text, /operator_only/);
    });

    it('rejects a cross-site request before it reads the session', async () => {
      const headers = { host: 'localhost:1', 'sec-fetch-site': 'cross-site', cookie: 'signalpost_test=member' };
      const { status } = await made.request('POST', '/console/api/for-member', { headers });
      assert.equal(status, 403);
    });
  });

  describe('404', () => {
    it('for sessions alone has no public path', async () => {
      for (const path of ['/v1/for-session', '/for-member', '/for-visitor']) {
        assert.equal((await withKey(path)).status, 404, path);
      }
    });

    it('for keys alone has no path in the console', async () => {
      assert.equal((await fromPage('GET', '/production/v1/for-key', 'member')).status, 404);
    });

    it('has no path in an unknown environment', async () => {
      assert.equal((await fromPage('GET', '/nowhere/v1/for-both', 'member')).status, 404);
    });
  });
});

describe("the console's document", () => {
  it('has the endpoints that only sessions reach, those of an environment below its name', () => {
    const { paths } = consoleDocument(endpoints) as { paths: Record<string, object> };
    assert.deepEqual(Object.keys(paths), [
      '/{environment}/v1/for-session',
      '/for-visitor',
      '/for-member',
      '/for-operator',
    ]);
  });
});
