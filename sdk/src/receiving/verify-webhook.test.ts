import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError } from '../errors.ts';
import { type ReceivedWebhook, verifyWebhook } from './verify-webhook.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const another = `whsec_${Buffer.from('another secret of the same size.').toString('base64')}`;
const nowMs = Date.UTC(2026, 10, 15);
const now = () => nowMs;
const id = '01KA0000000000000000000000';
const body =
  '{"type":"domain.flagged.disposable","timestamp":"2026-11-15T00:00:00+00:00","data":{"domain":"bücher.example"}}';
const event = {
  id,
  type: 'domain.flagged.disposable',
  created_at: '2026-11-15T00:00:00+00:00',
  data: { domain: 'bücher.example' },
};

const sign = (by: string, text = body, atMs = nowMs) => new Webhook(by).sign(id, new Date(atMs), text);
const headersOf = (signature: string, atMs = nowMs) => ({
  'webhook-id': id,
  'webhook-timestamp': String(atMs / 1_000),
  'webhook-signature': signature,
});

async function refusedWith(received: ReceivedWebhook): Promise<string | null> {
  try {
    await verifyWebhook(received, { now });
  } catch (error) {
    assert.ok(error instanceof WebhookVerificationError, String(error));
    return error.code;
  }
  return null;
}

describe('a webhook in the standard format', () => {
  it('accepts a webhook signed by the reference package, with headers and body in any supported form [C17]', async () => {
    const plain = headersOf(sign(secret));
    const upper = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]));
    const lists = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]));
    for (const headers of [plain, upper, lists, new Headers(plain)]) {
      assert.deepEqual(await verifyWebhook({ body, headers, secret }, { now }), event);
    }
    for (const bytes of [Buffer.from(body), new TextEncoder().encode(body), new TextEncoder().encode(body).buffer]) {
      assert.deepEqual(await verifyWebhook({ body: bytes, headers: plain, secret }, { now }), event);
    }
  });

  it('accepts any body that the reference package signed, and rejects another body with its signature [C17]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.string(), async (key, word) => {
        const own = `whsec_${Buffer.from(key).toString('base64')}`;
        const text = JSON.stringify({ type: 'a', timestamp: 'b', data: { word } });
        const headers = headersOf(sign(own, text));
        assert.deepEqual((await verifyWebhook({ body: text, headers, secret: own }, { now })).data, { word });
        assert.equal(await refusedWith({ body: `${text} `, headers, secret: own }), 'wrong_signature');
      }),
      { numRuns: 50 },
    );
  });

  it('accepts a webhook during secret rotation with the old secret, the new secret or both', async () => {
    const headers = headersOf(`v1a,xyz ${sign(another)} ${sign(secret)}`);
    for (const known of [secret, another, [another, secret]]) {
      assert.equal((await verifyWebhook({ body, headers, secret: known }, { now })).id, id);
    }
    assert.equal(
      (await verifyWebhook({ body, headers: headersOf(sign(secret)), secret: [another, secret] }, { now })).id,
      id,
    );
  });

  const refusals: readonly [string, Partial<ReceivedWebhook>, string][] = [
    ['was signed with another secret', { headers: headersOf(sign(another)) }, 'wrong_signature'],
    ['was changed', { body: body.replace('bücher', 'bucher') }, 'wrong_signature'],
    ['has another id', { headers: { ...headersOf(sign(secret)), 'webhook-id': 'x' } }, 'wrong_signature'],
    ['has another time', { headers: headersOf(sign(secret), nowMs + 1_000) }, 'wrong_signature'],
    ['has a signature of another version', { headers: headersOf(sign(secret).replace('v1', 'v2')) }, 'wrong_signature'],
    ['has a signature that is no base64', { headers: headersOf('v1,%%% v1, v1 ,') }, 'wrong_signature'],
    [
      'has its signature behind ten others',
      { headers: headersOf(`${'v1,aaaa '.repeat(10)}${sign(secret)}`) },
      'wrong_signature',
    ],
    ['is too old', { headers: headersOf(sign(secret, body, nowMs - 301_000), nowMs - 301_000) }, 'not_recent'],
    ['is from the future', { headers: headersOf(sign(secret, body, nowMs + 301_000), nowMs + 301_000) }, 'not_recent'],
    ['has a time that is none', { headers: { ...headersOf(sign(secret)), 'webhook-timestamp': 'now' } }, 'not_recent'],
    ['has no id', { headers: { ...headersOf(sign(secret)), 'webhook-id': undefined } }, 'missing_header'],
    ['has no time', { headers: { ...headersOf(sign(secret)), 'webhook-timestamp': '' } }, 'missing_header'],
    ['has no signature', { headers: {} }, 'missing_header'],
    ['is no JSON', { body: 'no', headers: headersOf(sign(secret, 'no')) }, 'malformed'],
    ['is no event', { body: 'null', headers: headersOf(sign(secret, 'null')) }, 'malformed'],
  ];
  for (const [what, part, code] of refusals) {
    it(`rejects a webhook that ${what}: ${code} [C17]`, async () => {
      assert.equal(await refusedWith({ body, headers: headersOf(sign(secret)), secret, ...part }), code);
    });
  }

  it('accepts a webhook up to five minutes after it was sent, and later with a higher tolerance', async () => {
    const late = (seconds: number) => headersOf(sign(secret, body, nowMs - seconds * 1_000), nowMs - seconds * 1_000);
    assert.equal(await refusedWith({ body, headers: late(300), secret }), null);
    const { id: same } = await verifyWebhook({ body, headers: late(3_600), secret }, { now, toleranceSeconds: 3_600 });
    assert.equal(same, id);
  });

  it('names the header that is missing for the format in use', async () => {
    const standard = headersOf(sign(secret));
    const missing: readonly [ReceivedWebhook['headers'], RegExp][] = [
      [{ ...standard, 'webhook-signature': undefined }, /no webhook-signature header/],
      [{ ...standard, 'webhook-id': undefined }, /no webhook-id header/],
      [{ 'X-UserCheck-Delivery-ID': id }, /no x-usercheck-signature header/],
      [{ 'X-UserCheck-Signature': 'ab' }, /no x-usercheck-delivery-id header/],
      [{}, /neither a webhook-signature nor an x-usercheck-signature header/],
    ];
    for (const [headers, message] of missing) {
      await assert.rejects(verifyWebhook({ body, headers, secret }, { now }), { code: 'missing_header', message });
    }
  });

  it('recognises a body that was parsed, or is missing because a parser consumed it', async () => {
    for (const parsed of [JSON.parse(body), [1], null, undefined]) {
      const received = { body: parsed, headers: headersOf(sign(secret)), secret };
      await assert.rejects(verifyWebhook(received, { now }), {
        name: 'TypeError',
        message: /raw body.*not a parsed one/,
      });
    }
    const serialised = JSON.stringify(JSON.parse(body), null, 1);
    await assert.rejects(verifyWebhook({ body: serialised, headers: headersOf(sign(secret)), secret }, { now }), {
      code: 'wrong_signature',
      message: /parsed and serialised again/,
    });
  });

  it('throws a TypeError for an invalid secret', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_%', 'whsec_a']) {
      await assert.rejects(
        verifyWebhook({ body, headers: headersOf(sign(secret)), secret: wrong }, { now }),
        TypeError,
      );
    }
  });
});

describe("a webhook in UserCheck's format", () => {
  const text =
    '{"event":"domain.flagged.relay","created_at":"2026-11-15T00:00:00+00:00","data":{"domain":"a.example"}}';
  const hex = createHmac('sha256', secret).update(text).digest('hex');
  const headers = { 'X-UserCheck-Signature': hex, 'X-UserCheck-Delivery-ID': id, 'X-UserCheck-Attempt': '1' };

  it("a webhook in UserCheck's format is accepted when its body was signed with the text of the secret [C17]", async () => {
    for (const signature of [hex, hex.toUpperCase()]) {
      const received = { body: text, headers: { ...headers, 'X-UserCheck-Signature': signature }, secret };
      assert.deepEqual(await verifyWebhook(received), {
        id,
        type: 'domain.flagged.relay',
        created_at: '2026-11-15T00:00:00+00:00',
        data: { domain: 'a.example' },
      });
    }
  });

  it("rejects a webhook in UserCheck's format with any invalid part [C17]", async () => {
    assert.equal(await refusedWith({ body: `${text} `, headers, secret }), 'wrong_signature');
    assert.equal(await refusedWith({ body: text, headers, secret: another }), 'wrong_signature');
    const short = { ...headers, 'X-UserCheck-Signature': hex.slice(2) };
    assert.equal(await refusedWith({ body: text, headers: short, secret }), 'wrong_signature');
    assert.equal(
      await refusedWith({ body: text, headers: { 'X-UserCheck-Signature': hex }, secret }),
      'missing_header',
    );
    await assert.rejects(verifyWebhook({ body: text, headers, secret: '' }), TypeError);
  });
});
