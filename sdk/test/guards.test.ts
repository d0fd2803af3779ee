import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Challenge as AltchaChallenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import express from 'express';
import fastify from 'fastify';
import { temporaryDirectory } from '../../test/engines.ts';
import { type Serving, serveSignalpost } from '../../test/signalpost-process.ts';
import { createChallenges } from '../src/challenge/challenges.ts';
import { signInGuard } from '../src/guards/auth-js.ts';
import { signUpGuard as betterAuthGuard } from '../src/guards/better-auth.ts';
import { signUpGuard as expressGuard } from '../src/guards/express.ts';
import { signUpGuard as fastifyGuard } from '../src/guards/fastify.ts';
import type { GuardSettings, WithoutChallenge } from '../src/guards/guard.ts';
import { signUpGuard as honoGuard } from '../src/guards/hono.ts';
import { signUpGuard as nestGuard } from '../src/guards/nest.ts';
import { guardRoute } from '../src/guards/next.ts';
import { AuthenticationError, type Decision, type OutageDecision, Signalpost } from '../src/index.ts';

/** A sign-up route behind a guard: what came back, and whether the route itself was reached. */
type SignUp = (settings: GuardSettings, body: unknown) => Promise<{ status: number; json: Record<string, unknown> }>;

const welcome = { welcome: true };

describe('behind a guard', () => {
  const dataDir = temporaryDirectory();
  let service: Serving;
  let settings: WithoutChallenge & { readonly client: Signalpost };

  before(async () => {
    service = await serveSignalpost({ DATA_DIR: dataDir });
    const client = new Signalpost({ apiKey: service.keys.production, baseUrl: service.url });
    const { id: gateId } = await client.gates.create({ name: 'Signup' });
    const conditions = [{ field: 'domain.name', operator: 'equals', value: 'gmail.com' }];
    await client.gates.rules.create(gateId, {
      name: 'Free mail',
      action: 'challenge',
      message: 'Who are you?',
      conditions,
    });
    settings = { client, gateId };
  });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });

  /** The settings with a client whose service is unavailable. */
  const away = (): WithoutChallenge => ({
    ...settings,
    client: new Signalpost({ apiKey: 'x', baseUrl: 'http://127.0.0.1:1', backoffMs: 1 }),
  });

  for (const [framework, signUp] of Object.entries<SignUp>({
    Express: signUpWithExpress,
    Fastify: signUpWithFastify,
    'a route of Next.js': signUpWithNext,
    Hono: signUpWithHono,
  })) {
    describe(framework, () => {
      test(`${framework}: a challenged visitor gets a challenge, solves it and reaches the route, once [C20]`, async () => {
        const solvedBy: (string | null)[] = [];
        const decided: string[] = [];
        const challenging: GuardSettings = {
          ...settings,
          challenge: createChallenges({ secret: 'x'.repeat(32), cost: 10, maxAttempts: 4 }),
          onDecision: ({ meta }) => void decided.push(meta?.decision_id ?? ''),
          onSolved: ({ decisionId }) => void solvedBy.push(decisionId),
        };
        const email = `${framework.replaceAll(/\W/g, '')}@gmail.com`;
        const first = await signUp(challenging, { email });
        assert.deepEqual(
          [first.status, first.json.error, first.json.message],
          [403, 'challenge_required', 'Who are you?'],
        );
        const solution = await solved(first.json.challenge);
        const passed = { email, signalpost_challenge: solution };
        const stolen = await signUp(challenging, { ...passed, email: `other.${email}` });
        assert.deepEqual([stolen.status, stolen.json.error], [403, 'challenge_required']);
        assert.deepEqual((await signUp(challenging, passed)).json, welcome);
        assert.equal((await signUp(challenging, passed)).status, 403);
        assert.deepEqual(solvedBy, [decided[0]]);
        const blocked = await signUp(challenging, { email: 'joe@mailinator.com', signalpost_challenge: solution });
        assert.deepEqual([blocked.status, blocked.json.error], [422, 'email_refused']);
      });

      test(`${framework}: an address that the gate allows reaches the route`, async () => {
        assert.deepEqual(await signUp(settings, { email: 'jane@example.org' }), { status: 200, json: welcome });
      });

      test(`${framework}: an address that the gate blocks does not reach the route`, async () => {
        const { status, json } = await signUp(settings, { email: 'joe@mailinator.com' });
        assert.deepEqual([status, json.error, typeof json.message], [422, 'email_refused', 'string']);
      });

      test(`${framework}: a challenge passes and is reported, or is refused, as the program chose`, async () => {
        const reported: (Decision | OutageDecision)[] = [];
        const body = { email: 'jane@gmail.com' };
        const noting = { ...settings, onDecision: (result: Decision | OutageDecision) => void reported.push(result) };
        assert.deepEqual((await signUp(noting, body)).json, welcome);
        assert.deepEqual(
          reported.map(({ decision }) => decision.action),
          ['challenge'],
        );
        const refused = await signUp({ ...settings, challenge: 'block' }, body);
        assert.deepEqual(refused, { status: 422, json: { error: 'email_refused', message: 'Who are you?' } });
      });

      for (const [name, body, error] of [
        ['no address', {}, 'email_missing'],
        ['an empty address', { email: '' }, 'email_missing'],
        ['a list of addresses', { email: ['jane@example.org'] }, 'email_missing'],
        ['something that is no address', { email: 'jane' }, 'email_invalid'],
      ] as const) {
        test(`${framework}: ${name} is refused`, async () => {
          const { status, json } = await signUp(settings, body);
          assert.deepEqual([status, json.error], [422, error]);
        });
      }

      test(`${framework}: an outage lets visitors pass by default`, async () => {
        assert.equal((await signUp(away(), { email: 'joe@mailinator.com' })).status, 200);
      });

      test(`${framework}: an outage with failOpen block is a 503 that does not blame the address`, async () => {
        const body = { email: 'jane@example.org' };
        const tryAgain = { error: 'service_unavailable', message: 'Please try again in a moment.' };
        for (const choice of [{ failOpen: 'block' }, { failOpen: 'challenge', challenge: 'block' }] as const) {
          assert.deepEqual(await signUp({ ...away(), ...choice }, body), { status: 503, json: tryAgain });
        }
      });

      test(`${framework}: a wrong key is an error of the program, not of the visitor`, async () => {
        const wrong = { ...settings, client: new Signalpost({ apiKey: 'wrong', baseUrl: service.url }) };
        assert.equal((await signUp(wrong, { email: 'jane@example.org' })).status, 500);
      });
    });
  }

  test('Express 4, which ignores promises, receives an error through next', async () => {
    const wrong = { ...settings, client: new Signalpost({ apiKey: 'wrong', baseUrl: service.url }) };
    const received: unknown[] = [];
    const request = { body: { email: 'jane@example.org' }, headers: {} };
    await expressGuard(wrong)(request, { status: () => assert.fail() }, (error) => received.push(error));
    assert.ok(
      received.length === 1 && received[0] instanceof Error && received[0].cause instanceof AuthenticationError,
    );
  });

  test('a form is read by a route of Next.js, and so is it by the handler behind it', async () => {
    const route = guardRoute(settings, async (request) => Response.json(Object.fromEntries(await request.formData())));
    const form = (email: string) => {
      const body = new URLSearchParams({ email, name: 'Jane' });
      return route(new Request('http://app.example/signup', { method: 'POST', body }), {});
    };
    assert.deepEqual(await (await form('jane@example.org')).json(), { email: 'jane@example.org', name: 'Jane' });
    assert.equal((await form('joe@mailinator.com')).status, 422);
  });

  test('a form that asks for a challenge the guard does not have is an error of the program, not a second sign-up', async () => {
    let reached = 0;
    const route = guardRoute({ ...settings, challenge: 'allow' }, () => Response.json({ count: ++reached }));
    const body = JSON.stringify({ email: 'jane@example.com' });
    const headers = { 'content-type': 'application/json', 'signalpost-challenge': 'ask' };
    const request = new Request('http://localhost/', { method: 'POST', headers, body });
    await assert.rejects(route(request, undefined), /the guard has none\. Give .*createChallenges/);
    assert.equal(reached, 0);
  });

  test('Better Auth does not create a user whom the gate blocks', async () => {
    class APIError extends Error {
      readonly body: { code: string };
      constructor(status: string, body: { code: string; message: string }) {
        super(status);
        this.body = body;
      }
    }
    const outage = betterAuthGuard({ ...away(), failOpen: 'block', APIError });
    await assert.rejects(outage({ email: 'jane@example.org' }, null), {
      message: 'SERVICE_UNAVAILABLE',
      body: { code: 'SERVICE_UNAVAILABLE', message: 'Please try again in a moment.' },
    });
    const before = betterAuthGuard({ ...settings, APIError, ip: (context: { ip: string }) => context.ip });
    await before({ email: 'jane@example.org' }, { ip: '203.0.113.7' });
    const refused = before({ email: 'joe@mailinator.com' }, { ip: '203.0.113.7' });
    await assert.rejects(refused, (error) => error instanceof APIError && error.body.code === 'EMAIL_REFUSED');
    const seen = await Array.fromAsync(settings.client.gates.decisions.list(settings.gateId, { ip: '203.0.113.7' }));
    assert.equal(seen.length, 2);
  });

  test('Auth.js does not sign in a new visitor whom the gate blocks', async () => {
    const user = { email: 'joe@mailinator.com' };
    assert.equal(await signInGuard(settings)({ user: { email: 'jane@example.org' } }), true);
    assert.equal(await signInGuard(settings)({ user }), false);
    assert.equal(await signInGuard({ ...settings, refusedUrl: '/sorry' })({ user }), '/sorry');
    assert.equal(await signInGuard({ ...settings, isNew: () => false })({ user }), true);
    const outage = { ...away(), failOpen: 'block', refusedUrl: '/sorry' } as const;
    assert.equal(await signInGuard({ ...outage, unavailableUrl: '/later' })({ user }), '/later');
    assert.equal(await signInGuard(outage)({ user }), '/sorry');
  });

  test('Auth.js refuses a user without an address unless noEmail allows them', async () => {
    for (const email of [null, undefined, '']) {
      assert.equal(await signInGuard(settings)({ user: { email } }), false);
      assert.equal(await signInGuard({ ...settings, noEmail: 'allow' })({ user: { email } }), true);
    }
    assert.equal(
      await signInGuard({ ...settings, noEmail: 'allow' })({ user: { email: 'joe@mailinator.com' } }),
      false,
    );
  });

  test('Nest answers a visitor whom the gate blocks with an exception of its own', async () => {
    class HttpException extends Error {
      readonly response: unknown;
      readonly status: number;
      constructor(response: unknown, status: number) {
        super('refused');
        this.response = response;
        this.status = status;
      }
    }
    const guard = nestGuard({ ...settings, HttpException });
    const contextOf = (body: unknown) => ({
      switchToHttp: () => ({ getRequest: <Request>() => ({ body, headers: {} }) as Request }),
    });
    assert.equal(await guard.canActivate(contextOf({ email: 'jane@example.org' })), true);
    await assert.rejects(guard.canActivate(contextOf({ email: 'joe@mailinator.com' })), (error) => {
      assert.ok(error instanceof HttpException);
      assert.deepEqual([error.status, (error.response as { error: string }).error], [422, 'email_refused']);
      return true;
    });
  });

  test('a guard before the body parser is an error of the program, and not of the visitor', async () => {
    const app = express();
    app.post('/signup', expressGuard(settings), (_request, response) => void response.json(welcome));
    const said: string[] = [];
    const keepError: express.ErrorRequestHandler = (error, _request, response, _next) => {
      said.push(String(error));
      response.status(500).end();
    };
    app.use(keepError);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signup`;
    const post = (init: RequestInit) => fetch(url, { method: 'POST', ...init });
    const bodies = [new URLSearchParams({ email: 'jane@example.org' }), '{}'];
    for (const body of bodies) {
      const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
      assert.equal((await post({ body, headers })).status, 500);
    }
    assert.match(said.join(), /no parsed body .*express\.json\(\)/);
    // Without a body the visitor is told what is missing.
    assert.equal((await post({})).status, 422);
    server.closeAllConnections();
    server.close();
  });
});

/** Solved by ALTCHA's own library. */
async function solved(challenge: unknown): Promise<string> {
  const solution = await solveChallenge({ challenge: challenge as AltchaChallenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}

async function signUpWithExpress(settings: GuardSettings, body: unknown): ReturnType<SignUp> {
  const app = express().use(express.json());
  app.post(
    '/signup',
    expressGuard({ ...settings, ip: (request) => request.ip }),
    (_request, response) => void response.json(welcome),
  );
  // As Express does by itself, but with a body that can be read.
  const answerError: express.ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json({});
  };
  app.use(answerError);
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signup`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function signUpWithFastify(settings: GuardSettings, body: unknown): ReturnType<SignUp> {
  const app = fastify();
  app.post('/signup', { preHandler: fastifyGuard(settings) }, async () => welcome);
  const response = await app.inject({ method: 'POST', url: '/signup', payload: body as object });
  await app.close();
  return { status: response.statusCode, json: response.json() };
}

async function signUpWithNext(settings: GuardSettings, body: unknown): ReturnType<SignUp> {
  const POST = guardRoute(settings, async (request) => {
    assert.deepEqual(await request.json(), body);
    return Response.json(welcome);
  });
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://app.example/signup', { method: 'POST', headers, body: JSON.stringify(body) });
  // What a route throws, Next.js answers with 500.
  const response = await POST(request, {}).catch(() => Response.json({}, { status: 500 }));
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

/** Hono keeps a body that was read, so that it can be read again. */
async function signUpWithHono(settings: GuardSettings, body: unknown): ReturnType<SignUp> {
  const req = {
    header: (name: string) => (name === 'content-type' ? 'application/json' : undefined),
    json: async () => body,
    parseBody: () => assert.fail('the body is JSON'),
  };
  let reached: Response | undefined;
  const next = async () => {
    reached = Response.json(welcome);
  };
  // What middleware throws, Hono answers with 500.
  const refused = await honoGuard(settings)({ req }, next).catch(() => Response.json({}, { status: 500 }));
  const response = refused ?? reached ?? assert.fail('neither the guard nor the route answered');
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}
