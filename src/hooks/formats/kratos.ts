import { bearer } from './bearer.ts';
import type { HookFormat } from './format.ts';

/**
 * Jsonnet for the body of the web hook. Kratos forwards no `X-Forwarded-For`; the visitor can write `True-Client-Ip` unless a
 * proxy overwrites it.
 */
const template = `function(ctx) {
  email: if std.objectHas(ctx.identity.traits, 'email') then ctx.identity.traits.email else null,
  ip: if std.objectHas(ctx, 'request_headers') && std.objectHas(ctx.request_headers, 'True-Client-Ip')
      then ctx.request_headers['True-Client-Ip'][0] else null,
}
`;

/**
 * Ory Kratos, a web hook after registration with `response.parse`. A 4xx whose messages it can read blocks the sign-up and is
 * shown at the field (ory/kratos, selfservice/hook/web_hook.go).
 */
export const kratos: HookFormat = {
  ...bearer,
  label: 'Ory Kratos',
  read: ({ email, ip }, headers) => ({ email, ip, eventId: headers['ory-webhook-trigger-id'] }),
  answer: ({ allow, message }) =>
    allow
      ? { status: 200, body: {} }
      : {
          status: 422,
          body: {
            messages: [
              {
                instance_ptr: '#/traits/email',
                messages: [{ id: 4_000_001, text: message, type: 'error', context: {} }],
              },
            ],
          },
        },
  sample: (email, ip) => ({
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer …',
      'ory-webhook-trigger-id': '0f4d6e1a-59a5-4a0e-93a3-0e8a0f6f2f0d',
    },
    body: { email, ip },
  }),
  configuration: (url, secret) => [
    {
      title: 'Add the hook to kratos.yml, before the hook "session", for each sign-up method that you use',
      code: yaml(url, secret),
    },
    { title: 'The body is this Jsonnet template; True-Client-Ip must be set by your proxy', code: template },
  ],
};

const yaml = (url: string, secret: string): string => `selfservice:
  flows:
    registration:
      after:
        password:
          hooks:
            - hook: web_hook
              config:
                url: ${url}
                method: POST
                body: base64://${Buffer.from(template).toString('base64')}
                response:
                  ignore: false
                  parse: true
                auth:
                  type: api_key
                  config:
                    in: header
                    name: Authorization
                    value: ${JSON.stringify(`Bearer ${secret}`)}
            - hook: session`;
