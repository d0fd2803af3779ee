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

const hex = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const given = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });

/** How each auth server writes and signs a sign-up: a second implementation, so that the formats are not compared with themselves. */
export const authServers: Readonly<Record<string, (signUp: SentSignUp, secret: string, nowMs: number) => AuthRequest>> =
  {
    supabase({ email, ip, eventId = 'e1' }, secret, nowMs) {
      const body = JSON.stringify({
        metadata: { uuid: eventId, name: 'before-user-created', ...given('ip_address', ip) },
        user: { id: 'u1', ...given('email', email), phone: '' },
      });
      const time = String(Math.floor(nowMs / 1_000));
      const key = Buffer.from(secret.slice('v1,whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`msg.${time}.${body}`).digest('base64');
      return {
        headers: { 'webhook-id': 'msg', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` },
        body,
      };
    },
    kratos: ({ email, ip, eventId = 'e1' }, secret) => ({
      headers: { ...bearer(secret), 'ory-webhook-trigger-id': eventId },
      body: JSON.stringify({ email, ip }),
    }),
    zitadel({ email, ip }, secret, nowMs) {
      const body = JSON.stringify({
        fullMethod: '/zitadel.user.v2.UserService/AddHumanUser',
        request: { email: given('email', email) },
        headers: given('X-Forwarded-For', ip),
      });
      const time = Math.floor(nowMs / 1_000);
      return { headers: { 'zitadel-signature': `t=${time},v1=${hex(secret, `${time}.${body}`)}` }, body };
    },
    okta: ({ email, ip, eventId = 'e1' }, secret) => ({
      headers: { authorization: secret },
      body: JSON.stringify({
        eventId,
        eventType: 'com.okta.user.pre-registration',
        requestType: 'self.service.registration',
        data: { context: { request: given('ipAddress', ip) }, userProfile: given('email', email) },
      }),
    }),
    workos({ email, ip, eventId = 'e1' }, secret, nowMs) {
      const body = JSON.stringify({
        id: eventId,
        object: 'user_registration_action_context',
        user_data: given('email', email),
        invitation: null,
        ...given('ip_address', ip),
      });
      return { headers: { 'workos-signature': `t=${nowMs}, v1=${hex(secret, `${nowMs}.${body}`)}` }, body };
    },
    fusionauth: ({ email, ip, eventId = 'e1' }, secret) => ({
      headers: bearer(secret),
      body: JSON.stringify({
        event: { type: 'user.create', id: eventId, info: given('ipAddress', ip), user: given('email', email) },
      }),
    }),
    generic: ({ email, ip, eventId }, secret) => ({
      headers: { ...bearer(secret), ...(eventId === undefined ? {} : { 'idempotency-key': eventId }) },
      body: JSON.stringify({ email, ip }),
    }),
  };

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
