import { bearer } from './bearer.ts';
import type { HookFormat } from './format.ts';

/** Any server that can call a URL and read the status. */
export const generic: HookFormat = {
  ...bearer,
  label: 'Anything else',
  read: ({ email, ip }, headers) => ({ email, ip, eventId: headers['idempotency-key'] }),
  answer: ({ allow, action, decisionId, message }) => ({
    status: allow ? 200 : 403,
    body: { allow, action, decision_id: decisionId, message },
  }),
  sample: (email, ip) => ({
    headers: { 'content-type': 'application/json', authorization: 'Bearer …' },
    body: { email, ...(ip === null ? {} : { ip }) },
  }),
  configuration: (url, secret) => [
    {
      title: 'Call this before a user is created: status 200 allows, 403 blocks with a message for the visitor',
      code: [
        `curl ${url} \\`,
        `  -H 'Authorization: Bearer ${secret}' \\`,
        `  -d '{"email": "jane@example.com", "ip": "203.0.113.7"}'`,
      ].join('\n'),
    },
  ],
};
