import { createHmac } from 'node:crypto';
import { formatNames } from '../src/hooks/formats/all.ts';
import type { Response } from './inject.ts';
import type { StartedApp } from './start-app.ts';

/** A hook in a response. */
export interface WireHook {
  readonly id: string;
  readonly url: string;
  readonly format: string;
  readonly secret: string | null;
  readonly secret_hint: string | null;
  readonly last_call_at: string | null;
  readonly last_error: string | null;
  readonly calls_24h: Readonly<Record<string, number>>;
  readonly configuration: readonly { readonly title: string; readonly code: string | null }[];
  readonly [field: string]: unknown;
}

/** A sign-up as a test describes it. */
export interface SentSignUp {
  readonly email?: unknown;
  readonly ip?: unknown;
  readonly eventId?: string;
}

/** A request of an auth server. */
export interface AuthRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The secret that a test sets where the auth server makes it. */
export const serverSecret = 'made-by-the-auth-server-0123456789';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
const seconds = (nowMs: number): number => Math.floor(nowMs / 1_000);

type Authenticate = (body: string, secret: string, nowMs: number) => Readonly<Record<string, string>>;

/** The headers with which auth servers prove a body; the others send the secret as a Bearer token. */
const authentications: Readonly<Record<string, Authenticate>> = {
  supabase(body, secret, nowMs) {
    const key = Buffer.from(secret.slice('v1,whsec_'.length), 'base64');
    const time = String(seconds(nowMs));
    const signature = hmac(key, `msg.${time}.${body}`).digest('base64');
    return { 'webhook-id': 'msg', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
  },
  zitadel(body, secret, nowMs) {
    const time = seconds(nowMs);
    return { 'zitadel-signature': `t=${time},v1=${hmac(secret, `${time}.${body}`).digest('hex')}` };
  },
  workos: (body, secret, nowMs) => ({
    'workos-signature': `t=${nowMs}, v1=${hmac(secret, `${nowMs}.${body}`).digest('hex')}`,
  }),
  okta: (_body, secret) => ({ authorization: secret }),
};

/** The headers with which the auth server of a format proves any body. */
export function authenticate(format: string, ...given: Parameters<Authenticate>): ReturnType<Authenticate> {
  const [, secret] = given;
  return authentications[format]?.(...given) ?? { authorization: `Bearer ${secret}` };
}

/** Formats whose server signs with the time instead of sending the secret. */
export const signedFormats = formatNames.filter((name) => !('authorization' in authenticate(name, '', '', 0)));

const given = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });

/** The body of a sign-up, and headers besides those that prove it. */
interface WrittenSignUp {
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How each auth server describes a sign-up: a second implementation, so that the formats are not compared with themselves. */
const signUps: Readonly<Record<string, (signUp: SentSignUp) => WrittenSignUp>> = {
  supabase: ({ email, ip, eventId = 'e1' }) => ({
    body: {
      metadata: { uuid: eventId, name: 'before-user-created', ...given('ip_address', ip) },
      user: { id: 'u1', ...given('email', email), phone: '' },
    },
  }),
  kratos: ({ email, ip, eventId = 'e1' }) => ({ body: { email, ip }, headers: { 'ory-webhook-trigger-id': eventId } }),
  zitadel: ({ email, ip }) => ({
    body: {
      fullMethod: '/zitadel.user.v2.UserService/AddHumanUser',
      request: { email: given('email', email) },
      headers: given('X-Forwarded-For', ip),
    },
  }),
  okta: ({ email, ip, eventId = 'e1' }) => ({
    body: {
      eventId,
      eventType: 'com.okta.user.pre-registration',
      requestType: 'self.service.registration',
      data: { context: { request: given('ipAddress', ip) }, userProfile: given('email', email) },
    },
  }),
  workos: ({ email, ip, eventId = 'e1' }) => ({
    body: {
      id: eventId,
      object: 'user_registration_action_context',
      user_data: given('email', email),
      invitation: null,
      ...given('ip_address', ip),
    },
  }),
  fusionauth: ({ email, ip, eventId = 'e1' }) => ({
    body: { event: { type: 'user.create', id: eventId, info: given('ipAddress', ip), user: given('email', email) } },
  }),
  generic: ({ email, ip, eventId }) => ({
    body: { email, ip },
    headers: eventId === undefined ? {} : { 'idempotency-key': eventId },
  }),
};

/** The request of each auth server for a sign-up. */
export const authServers: Readonly<Record<string, (signUp: SentSignUp, secret: string, nowMs: number) => AuthRequest>> =
  Object.fromEntries(
    Object.entries(signUps).map(([format, write]) => [
      format,
      (signUp: SentSignUp, secret: string, nowMs: number) => {
        const { body, headers = {} } = write(signUp);
        const text = JSON.stringify(body);
        return { headers: { ...authenticate(format, text, secret, nowMs), ...headers }, body: text };
      },
    ]),
  );

/** Whether an answer lets the visitor in, as the auth server reads it. */
export function lets(format: string, { status, json, text }: Response): boolean {
  const body = json as Record<string, unknown> | undefined;
  const payload = body?.payload as Record<string, unknown> | undefined;
  const [command] = (body?.commands as { value: { registration: string } }[] | undefined) ?? [];
  switch (format) {
    case 'supabase':
      return status === 200 && body?.error === undefined;
    case 'zitadel':
      return status === 200 && text === '';
    case 'okta':
      return command?.value.registration === 'ALLOW';
    case 'workos':
      return payload?.verdict === 'Allow';
    default:
      return status === 200;
  }
}

/** Where each auth server finds the message for the visitor. */
const messagePaths: Readonly<Record<string, readonly (string | number)[]>> = {
  supabase: ['error', 'message'],
  kratos: ['messages', 0, 'messages', 0, 'text'],
  zitadel: ['forwardedErrorMessage'],
  okta: ['error', 'errorSummary'],
  workos: ['payload', 'error_message'],
};

/** The message for the visitor, as the auth server reads it. */
export function messageIn(format: string, { json }: Response): unknown {
  const path = messagePaths[format] ?? ['message'];
  return path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), json);
}

/** Creates hooks with one key, and calls them as their auth servers do. */
export function hookCaller(started: StartedApp, key: string) {
  return {
    async create(body: object): Promise<WireHook & { readonly secret: string }> {
      const { json, status, text } = await started.request<{ data: WireHook }>('POST', '/v1/hooks', { key, body });
      if (status !== 201) throw new Error(text);
      const { data } = json;
      if (data.secret !== null) return { ...data, secret: data.secret };
      const path = `/v1/hooks/${data.id}/secret`;
      await started.request('POST', path, { key, body: { secret: serverSecret } });
      return { ...data, secret: serverSecret };
    },
    async read(id: string): Promise<WireHook> {
      return (await started.request<{ data: WireHook }>('GET', `/v1/hooks/${id}`, { key })).json.data;
    },
    call(hook: Pick<WireHook, 'id' | 'format'> & { readonly secret: string }, signUp: SentSignUp): Promise<Response> {
      const server = authServers[hook.format];
      if (server === undefined) throw new Error(`no auth server for ${hook.format}`);
      return started.request('POST', `/hooks/${hook.id}`, server(signUp, hook.secret, started.clock.now()));
    },
  };
}

export type HookCaller = ReturnType<typeof hookCaller>;

/** A format of the service without an auth server here would not be tested. */
export const untestedFormats = formatNames.filter((name) => !(name in authServers));
