import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { until } from '../../test/eventually.ts';
import { type GateClient, gateClient } from '../../test/gate-client.ts';
import {
  authenticate,
  authServers,
  type HookCaller,
  hookCaller,
  lets,
  messageIn,
  serverSecret,
  signedFormats,
  untestedFormats,
} from '../../test/hook-caller.ts';
import type { Response } from '../../test/inject.ts';
import { type StartedApp, startApp, type TestAccount } from '../../test/start-app.ts';
import { formatNames } from './formats/all.ts';
import { defaultMessage, unavailableMessage } from './hook.ts';

const startMs = Date.UTC(2026, 10, 15, 0, 20);
const publicIp = '8.8.8.8';
const minuteMs = 60_000;

const blockName = (name: string, message: string | null = null) => ({
  name: `Block ${name}`,
  action: 'block',
  message,
  conditions: [{ field: 'domain.name', operator: 'equals', value: name }],
});

let started: StartedApp;
let account: TestAccount;
let gates: GateClient;
let hooks: HookCaller;
let gateId: string;

before(async () => {
  started = await startApp({ IP_BLOCK_AFTER: '3' }, { nowMs: startMs });
});
beforeEach(async () => {
  started.clock.set(startMs);
  account = await started.createAccount();
  gates = gateClient(started, account.keys.production);
  hooks = hookCaller(started, account.keys.production);
  ({ id: gateId } = await gates.createGate());
  await gates.addRule(gateId, blockName('blocked.example', 'Not this domain.'));
  await gates.addRule(gateId, blockName('silent.example'));
  await gates.addRule(gateId, blockName('blank.example', ' \t'));
  await gates.addRule(gateId, {
    ...blockName('challenged.example'),
    action: 'challenge',
  });
});
after(() => started.close());

const create = (format: string, more: object = {}) =>
  hooks.create({ name: 'Sign-up', gate_id: gateId, format, ...more });
const decisions = async () => {
  const answer = await gates.call<{ data: Record<string, unknown>[] }>('GET', '/v1/decisions');
  return answer.json.data;
};
const creditsUsed = async () => {
  const { json } = await gates.call<{ usage: { current: number } }>('GET', '/status');
  return json.usage.current;
};

it('every format is tested', () => assert.deepEqual(untestedFormats, []));

for (const format of formatNames) {
  describe(`the format ${format}`, () => {
    it('allows, blocks with the message of the rule or of the hook, and answers a challenge as the hook says [H1 H2]', async () => {
      const hook = await create(format, { message: 'Choose another address.' });
      const strict = await create(format, { challenge: 'block' });
      assert.equal(lets(format, await hooks.call(hook, { email: 'jane@example.com' })), true);
      const expected = [
        ['joe@blocked.example', 'Not this domain.'],
        ['joe@silent.example', 'Choose another address.'],
        ['joe@blank.example', 'Choose another address.'],
      ] as const;
      for (const [email, message] of expected) {
        const answer = await hooks.call(hook, { email });
        assert.equal(lets(format, answer), false, email);
        assert.equal(messageIn(format, answer), message);
      }
      assert.equal(lets(format, await hooks.call(hook, { email: 'joe@challenged.example' })), true);
      const challenged = await hooks.call(strict, { email: 'joe@challenged.example' });
      assert.equal(lets(format, challenged), false);
      assert.equal(messageIn(format, challenged), defaultMessage);
      assert.deepEqual((await hooks.read(hook.id)).calls_24h, {
        ...{ allow: 2, block: 3, no_email: 0, unavailable: 0, rejected: 0, disabled: 0 },
      });
    });

    it('blocks an invalid address and allows a missing one without a decision, and rejects another type [H3 H4]', async () => {
      const hook = await create(format);
      const invalid = await hooks.call(hook, { email: 'not an address' });
      assert.equal(lets(format, invalid), false);
      assert.equal(messageIn(format, invalid), defaultMessage);
      for (const email of [undefined, null, '']) assert.equal(lets(format, await hooks.call(hook, { email })), true);
      assert.equal((await hooks.call(hook, { email: 7 })).status, 400);
      assert.equal((await hooks.call(hook, { email: ['jane@example.com'] })).status, 400);
      const { calls_24h } = await hooks.read(hook.id);
      assert.deepEqual([calls_24h.block, calls_24h.no_email, calls_24h.rejected], [1, 3, 2]);
      assert.deepEqual(await decisions(), []);
      assert.equal(await creditsUsed(), 0);
    });

    it('rejects wrong secrets and changed bodies with 401, bodies that are not its JSON with 400 [H5 H6 H37]', async () => {
      const hook = await create(format);
      const refused = await hooks.call({ ...hook, secret: wrongSecret(format) }, { email: 'jane@example.com' });
      assert.equal(refused.status, 401);
      assert.deepEqual((refused.json as { error: string }).error, 'unauthorized');
      const { secret_hint, last_error, last_call_at } = await hooks.read(hook.id);
      assert.ok(!refused.text.includes(`"${secret_hint}"`) && !refused.text.includes('expected'), refused.text);
      assert.match(
        String(last_error),
        new RegExp(`expected the secret ending in "${secret_hint?.replace(/\W/g, '\\$&')}"$`),
      );
      assert.equal(last_call_at, null);
      for (const body of ['', 'null', '[]', '{', '"text"', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`]) {
        const { headers } = resigned(format, hook.secret, body);
        const answer = await started.request('POST', `/hooks/${hook.id}`, { headers, body: body || undefined });
        assert.equal(answer.status, 400, `${body.slice(0, 10)}: ${answer.text}`);
      }
      // The secret of these calls was right.
      assert.notEqual((await hooks.read(hook.id)).last_call_at, null);
    });

    it('rejects a request without its header before the body, and one of more than 262,144 bytes [H7 H8]', async () => {
      const hook = await create(format);
      const path = `/hooks/${hook.id}`;
      const huge = JSON.stringify({ text: 'x'.repeat(262_144) });
      assert.equal((await started.request('POST', path, { body: huge })).status, 401);
      const { headers } = resigned(format, hook.secret, huge);
      const answer = await started.request('POST', path, { headers, body: huge });
      assert.equal(answer.status, 413);
      assert.equal((answer.json as { error: string }).error, 'payload_too_large');
      assert.equal((await hooks.read(hook.id)).calls_24h.rejected, 2);
    });

    it('allows without a decision while the hook is disabled, but still verifies [H9]', async () => {
      const hook = await create(format, { enabled: false });
      assert.equal(lets(format, await hooks.call(hook, { email: 'joe@blocked.example' })), true);
      assert.equal((await hooks.call({ ...hook, secret: wrongSecret(format) }, { email: 'a@b.example' })).status, 401);
      const { calls_24h, last_call_at } = await hooks.read(hook.id);
      assert.deepEqual([calls_24h.disabled, calls_24h.rejected], [1, 1]);
      assert.notEqual(last_call_at, null);
      assert.deepEqual(await decisions(), []);
    });

    it('answers as the hook says when the gate was deleted, and forgets the error after a decision [H10]', async () => {
      const open = await create(format);
      const closed = await create(format, { unavailable: 'block' });
      await gates.call('DELETE', `/v1/gates/${gateId}`);
      assert.equal(lets(format, await hooks.call(open, { email: 'jane@example.com' })), true);
      const answer = await hooks.call(closed, { email: 'jane@example.com' });
      assert.equal(lets(format, answer), false);
      assert.equal(messageIn(format, answer), unavailableMessage);
      const { last_error, calls_24h } = await hooks.read(open.id);
      assert.deepEqual([last_error, calls_24h.unavailable], ['the gate was deleted', 1]);
      const { id } = await gates.createGate();
      await gates.call('PATCH', `/v1/hooks/${open.id}`, { gate_id: id });
      await hooks.call(open, { email: 'jane@example.com', eventId: 'e2' });
      assert.equal((await hooks.read(open.id)).last_error, null);
      // Answers by `unavailable` are not kept.
      await gates.call('PATCH', `/v1/hooks/${closed.id}`, { gate_id: id });
      assert.equal(lets(format, await hooks.call(closed, { email: 'jane@example.com' })), true);
    });

    it('is a decision of the gate with the same credits, and the log names the hook [H11]', async () => {
      const hook = await create(format);
      await hooks.call(hook, { email: 'jane@example.com', ip: publicIp });
      started.clock.advance(1);
      await hooks.call(hook, { email: 'joe@example.com', ip: '10.0.0.1', eventId: 'e2' });
      const logged = await decisions();
      assert.deepEqual(
        logged.map(({ hook_id, input }) => [hook_id, input]),
        [
          [hook.id, { email: 'joe@example.com' }],
          [hook.id, { email: 'jane@example.com', ip: publicIp }],
        ],
      );
      assert.equal(await creditsUsed(), 4);
    });
  });
}

for (const format of formatNames.filter((name) => name !== 'zitadel')) {
  it(`decides the same event and address of ${format} once within ten minutes, also at the same time [H12]`, async () => {
    const hook = await create(format);
    const signUp = { email: 'jane@example.com', eventId: 'event-1' };
    const answers = await Promise.all([hooks.call(hook, signUp), hooks.call(hook, signUp)]);
    assert.deepEqual(
      answers.map((answer) => lets(format, answer)),
      [true, true],
    );
    await hooks.call(hook, signUp);
    await hooks.call(hook, { ...signUp, email: 'joe@example.com' });
    assert.equal((await decisions()).length, 2);
    assert.equal(await creditsUsed(), 2);
    started.clock.advance(10 * minuteMs);
    await hooks.call(hook, signUp);
    assert.equal((await decisions()).length, 3);
    assert.equal((await hooks.read(hook.id)).calls_24h.allow, 5);
  });
}

describe('signatures', () => {
  for (const format of signedFormats) {
    it(`of ${format} are accepted 300 seconds before and after their time, and not longer [H13]`, async () => {
      const hook = await create(format);
      const request = authServers[format]?.({ email: 'jane@example.com' }, hook.secret, startMs);
      const call = () => started.request('POST', `/hooks/${hook.id}`, { ...request });
      for (const [atMs, status] of [
        [startMs + 300_000, 200],
        [startMs + 301_000, 401],
        [startMs - 300_000, 200],
        [startMs - 301_000, 401],
      ] as const) {
        started.clock.set(atMs);
        assert.equal((await call()).status, status, `${(atMs - startMs) / 1_000} s`);
      }
      started.clock.set(startMs);
      const changed = { ...request, body: request?.body.replace('jane', 'joan') };
      assert.equal((await started.request('POST', `/hooks/${hook.id}`, changed)).status, 401);
    });
  }

  it('of several secrets are accepted with the separator of Supabase and with that of the standard [H14]', async () => {
    const hook = await create('supabase');
    const { headers, body } = authServers.supabase?.({ email: 'jane@example.com' }, hook.secret, startMs) ?? {};
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    for (const separator of [', ', ' ']) {
      const signature = [wrong, headers?.['webhook-signature']].join(separator);
      const sent = { headers: { ...headers, 'webhook-signature': signature }, body };
      assert.equal((await started.request('POST', `/hooks/${hook.id}`, sent)).status, 200, separator);
    }
  });

  it('of Zitadel over a JWT are right, and its rejection says which payload type to set [H6]', async () => {
    const hook = await create('zitadel');
    const body = 'eyJhbGciOiJSUzI1NiJ9.eyJyZXF1ZXN0Ijp7fX0.c2lnbmF0dXJl';
    const sent = { ...resigned('zitadel', hook.secret, body), body };
    const answer = await started.request('POST', `/hooks/${hook.id}`, sent);
    assert.equal(answer.status, 400);
    assert.match(answer.text, /payload type of the target to JSON/);
  });

  it('of Okta are the secret, with or without Bearer before it, also where the secret begins so itself [H5]', async () => {
    for (const secret of [serverSecret, `Bearer ${serverSecret}`]) {
      const hook = await create('okta', { secret });
      const { body } = authServers.okta?.({ email: 'jane@example.com' }, secret, startMs) ?? {};
      const call = (authorization: string) =>
        started.request('POST', `/hooks/${hook.id}`, { headers: { authorization }, body });
      assert.equal((await call(secret)).status, 200, secret);
      assert.equal((await call(`Bearer ${secret}`)).status, 200, secret);
      assert.equal((await call(`Basic ${secret}`)).status, 401, secret);
    }
  });

  it('of WorkOS sign the answer too, with the secret of the request, and again for a repetition [H15]', async () => {
    const hook = await create('workos');
    const first = await hooks.call(hook, { email: 'jane@example.com' });
    started.clock.advance(1_000);
    const second = await hooks.call(hook, { email: 'jane@example.com' });
    for (const [answer, atMs] of [
      [first, startMs],
      [second, startMs + 1_000],
    ] as const) {
      const { object, payload, signature } = answer.json as Record<string, never>;
      assert.equal(object, 'user_registration_action_response');
      assert.deepEqual(payload, { timestamp: atMs, verdict: 'Allow' });
      const expected = createHmac('sha256', hook.secret)
        .update(`${atMs}.${JSON.stringify(payload)}`)
        .digest('hex');
      assert.equal(signature, expected);
    }
  });
});

describe('the address of the visitor', () => {
  it('is the last public one of a forwarded list, and none when it is unreadable or private [H16]', async () => {
    const cases = [
      ['1.1.1.1, 8.8.4.4', '8.8.4.4'],
      ['1.1.1.1, 8.8.4.4, 10.0.0.1', '8.8.4.4'],
      ['192.168.0.1', undefined],
      ['no address', undefined],
      [17, undefined],
      [null, undefined],
    ] as const;
    const hook = await create('zitadel');
    for (const [ip, expected] of cases) {
      started.clock.advance(1);
      await hooks.call(hook, { email: 'jane@example.com', ip });
      const [latest] = await decisions();
      assert.deepEqual(latest?.input, { email: 'jane@example.com', ...(expected && { ip: expected }) }, String(ip));
    }
    started.clock.advance(1);
    await hooks.call(hook, { email: 'jane@example.com', ip: ['1.1.1.1', '8.8.4.4'] });
    assert.deepEqual((await decisions())[0]?.input, { email: 'jane@example.com', ip: '8.8.4.4' });
  });
});

describe('sign-ups that need no decision', () => {
  it('are allowed: invitations of WorkOS, profiles of Okta, other events of FusionAuth [H17]', async () => {
    const post = async (format: string, change: (body: Record<string, never>) => object) => {
      const hook = await create(format);
      const { body: text } = authServers[format]?.({ email: 'joe@blocked.example' }, hook.secret, startMs) ?? {};
      const body = JSON.stringify(change(JSON.parse(text ?? '')));
      const { headers } = resigned(format, hook.secret, body);
      const answer = await started.request('POST', `/hooks/${hook.id}`, { headers, body });
      assert.equal(lets(format, answer), true, answer.text);
      assert.equal((await hooks.read(hook.id)).calls_24h.no_email, 1);
    };
    await post('workos', (body) => ({ ...body, invitation: { id: 'invitation_1' } }));
    await post('okta', (body) => ({ ...body, requestType: 'progressive.profile' }));
    await post('fusionauth', ({ event }) => ({ event: { ...Object(event), type: 'user.registration.create' } }));
  });

  it('take the login of Okta when it is an address, and the human of Zitadel [H17]', async () => {
    const cases = [
      ['okta', (body: never) => ({ ...Object(body), data: { userProfile: { login: 'joe@blocked.example' } } }), false],
      ['okta', (body: never) => ({ ...Object(body), data: { userProfile: { login: 'joe' } } }), true],
      ['zitadel', () => ({ request: { human: { email: { email: 'joe@blocked.example' } } } }), false],
      ['zitadel', () => ({ request: { machine: { name: 'robot' } } }), true],
    ] as const;
    for (const [format, change, expected] of cases) {
      const hook = await create(format);
      const { body: text = '' } = authServers[format]?.({}, hook.secret, startMs) ?? {};
      const body = JSON.stringify(change(JSON.parse(text) as never));
      const { headers } = resigned(format, hook.secret, body);
      const answer = await started.request('POST', `/hooks/${hook.id}`, { headers, body });
      assert.equal(lets(format, answer), expected, body);
    }
  });
});

describe('limits', () => {
  it('answer by `unavailable` when the throughput is used up, and the error says so [H18]', async () => {
    account = await started.createAccount({ plan: 'pro-200k' });
    gates = gateClient(started, account.keys.production);
    hooks = hookCaller(started, account.keys.production);
    ({ id: gateId } = await gates.createGate());
    const hook = await create('generic', { unavailable: 'block' });
    const answers = [];
    for (let index = 0; index < 20; index += 1) {
      answers.push(await hooks.call(hook, { email: 'jane@example.com', eventId: `event-${index}` }));
    }
    // Two tokens were taken by the requests that created the gate and the hook.
    assert.equal(answers.filter(({ status }) => status === 200).length, 13);
    assert.equal(messageIn('generic', answers[19] as Response), unavailableMessage);
    started.clock.advance(1_000);
    const { last_error, calls_24h } = await hooks.read(hook.id);
    assert.deepEqual([last_error, calls_24h.unavailable], ['the throughput of the account is used up', 7]);
  });

  it('answer by `unavailable` when the plan no longer includes Gates [H18]', async () => {
    const hook = await create('generic', { unavailable: 'block' });
    await started.operator.accounts.setPlan(account.id, 'free');
    await until(async () => (await hooks.call(hook, { email: 'jane@example.com' })).status === 403);
    await started.operator.accounts.setPlan(account.id, 'self-hosted');
    started.clock.advance(60_000);
    await until(async () => (await hooks.read(hook.id)) !== undefined);
    assert.equal((await hooks.read(hook.id)).last_error, 'the plan of the account does not include Gates');
  });

  it('count no refusal against the address, and never refuse a call for its address [H19]', async () => {
    const hook = await create('generic');
    const remoteAddress = '9.9.9.9';
    const call = (secret: string) => {
      const request = authServers.generic?.({ email: 'jane@example.com' }, secret, startMs);
      return started.request('POST', `/hooks/${hook.id}`, { ...request, remoteAddress });
    };
    for (let index = 0; index < 10; index += 1) assert.equal((await call(serverSecret)).status, 401);
    const lookUp = () => started.request('GET', '/status', { key: 'sp_prd_wrong', remoteAddress });
    assert.equal((await lookUp()).status, 401);
    for (let index = 0; index < 5; index += 1) await lookUp();
    assert.equal((await lookUp()).status, 429);
    assert.equal((await call(hook.secret)).status, 200);
  });

  it('record at most 20 rejected calls a second, and good calls work among them [H20]', async () => {
    const hook = await create('generic');
    for (let index = 0; index < 50; index += 1) {
      await hooks.call({ ...hook, secret: serverSecret }, { email: 'jane@example.com' });
    }
    assert.equal((await hooks.call(hook, { email: 'jane@example.com' })).status, 200);
    const { calls_24h } = await hooks.read(hook.id);
    assert.deepEqual([calls_24h.rejected, calls_24h.allow], [20, 1]);
  });
});

describe('the path', () => {
  it('answers 404 to an unknown id, 405 to other methods, and a browser with one sentence [H21 H22]', async () => {
    const hook = await create('generic');
    const unknown = '01k00000000000000000000000';
    for (const id of [unknown, 'x', '%00', '..%2f']) {
      const answer = await started.request('POST', `/hooks/${id}`, { body: {} });
      assert.equal(answer.status, 404, id);
      assert.equal((answer.json as { error: string }).error, 'hook_not_found');
    }
    const texts = await Promise.all([hook.id, unknown].map((id) => started.request('GET', `/hooks/${id}`)));
    assert.deepEqual(
      texts.map(({ status, headers }) => [status, headers['content-type']]),
      texts.map(() => [200, 'text/plain; charset=utf-8']),
    );
    assert.equal(texts[0]?.text, texts[1]?.text);
    const put = await started.request('PUT', `/hooks/${hook.id}`, { body: {} });
    assert.deepEqual([put.status, put.headers.allow], [405, 'POST, GET, HEAD']);
  });

  it('ignores the content type and accepts a byte order mark [H23]', async () => {
    const hook = await create('generic');
    const headers = { authorization: `Bearer ${hook.secret}`, 'content-type': 'text/plain' };
    const body = `\uFEFF${JSON.stringify({ email: 'joe@blocked.example' })}`;
    assert.equal((await started.request('POST', `/hooks/${hook.id}`, { headers, body })).status, 403);
  });
});

it('the answer to a generic call says what was decided [H24]', async () => {
  const hook = await create('generic', { challenge: 'block' });
  const { json } = await hooks.call(hook, { email: 'joe@challenged.example' });
  const [decision] = await decisions();
  assert.deepEqual(json, { allow: false, action: 'challenge', decision_id: decision?.id, message: defaultMessage });
  const none = await hooks.call(hook, {});
  assert.deepEqual(none.json, { allow: true, action: null, decision_id: null, message: null });
});

function wrongSecret(format: string): string {
  return format === 'supabase' ? `v1,whsec_${Buffer.alloc(32).toString('base64')}` : 'another-secret-0123456789';
}

/** The headers of a request with another body, signed correctly. */
function resigned(format: string, secret: string, body: string) {
  return { headers: authenticate(format, body, secret, started.clock.now()) };
}
