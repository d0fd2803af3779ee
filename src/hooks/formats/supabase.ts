import { randomBytes } from 'node:crypto';
import type { HookFormat } from './format.ts';
import { headerText, timeIn, verifyHmac } from './hmac.ts';
import { objectIn } from './json-object.ts';

const secretPrefix = 'v1,whsec_';
/** 32 bytes in base64. */
const signatureLength = 44;

/**
 * Supabase Auth, "before user created". It signs like Standard Webhooks, but joins several signatures with a comma and a space.
 * Every answer is a 200: it replaces the message of any other status (supabase/auth, internal/hooks/hookshttp/hookshttp.go).
 */
export const supabase: HookFormat = {
  label: 'Supabase',
  header: 'webhook-signature',
  secretForm: {
    // 24 to 64 bytes.
    pattern: /^v1,whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    description: '"v1,whsec_" and 24 to 64 bytes in base64',
  },
  createSecret: () => secretPrefix + randomBytes(32).toString('base64'),
  verify({ headers, body }, secrets, nowMs) {
    const id = headerText(headers['webhook-id']);
    const time = headerText(headers['webhook-timestamp']);
    const signed = {
      timeMs: timeIn(time, 1_000),
      prefix: `${id}.${time}.`,
      body,
      signatures: signaturesIn(headerText(headers['webhook-signature'])),
      encoding: 'base64',
      header: 'webhook-signature',
    } as const;
    return verifyHmac(signed, secrets, nowMs, (secret) => Buffer.from(secret.slice(secretPrefix.length), 'base64'));
  },
  read(body) {
    const [metadata, user] = [objectIn(body.metadata), objectIn(body.user)];
    if (metadata === null || user === null) return null;
    return { email: user.email, ip: metadata.ip_address, eventId: metadata.uuid };
  },
  answer: ({ allow, message }) => ({
    status: 200,
    body: allow ? {} : { error: { http_code: 422, message } },
  }),
  sample: (email, ip) => ({
    headers: {
      'content-type': 'application/json',
      'webhook-id': '5f1d6a0e-6d2b-4b57-9f0e-2f1d1f0f7a11',
      'webhook-timestamp': '…',
      'webhook-signature': 'v1,…',
    },
    body: {
      metadata: {
        uuid: '8b7b0a52-3f0e-4f52-a0d9-0a5e1e9c2a10',
        time: '2026-11-18T12:00:00Z',
        name: 'before-user-created',
        ...(ip === null ? {} : { ip_address: ip }),
      },
      user: {
        id: 'c2a5b6f4-0d0b-4c3e-8f63-6e0d5a1b9c77',
        aud: 'authenticated',
        role: '',
        email,
        phone: '',
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: {},
        identities: [],
        is_anonymous: false,
      },
    },
  }),
  configuration: (url, secret) => [
    {
      title: 'Self-hosted: set these variables of the auth service and restart it',
      code: [
        'GOTRUE_HOOK_BEFORE_USER_CREATED_ENABLED=true',
        `GOTRUE_HOOK_BEFORE_USER_CREATED_URI=${url}`,
        `GOTRUE_HOOK_BEFORE_USER_CREATED_SECRETS=${secret}`,
      ].join('\n'),
    },
    {
      title: 'Hosted: Authentication → Hooks → Before User Created → HTTPS. Paste the URL and the secret',
      code: `${url}\n${secret}`,
    },
  ],
};

/** `v1,BASE64` several times: with a blank between them (the standard) or a comma and a blank (Supabase). */
function signaturesIn(header: string): string[] {
  const found = header.match(/(?:^|[ ,])v1,[A-Za-z0-9+/]{43}=(?=$|[ ,])/g) ?? [];
  return found.map((text) => text.slice(-signatureLength));
}
