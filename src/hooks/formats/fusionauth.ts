import { bearer } from './bearer.ts';
import type { HookFormat } from './format.ts';
import { objectIn } from './json-object.ts';

/** FusionAuth's webhook `user.create` in a transaction; it reads the status alone (docs, extend/events-and-webhooks). */
export const fusionauth: HookFormat = {
  ...bearer,
  label: 'FusionAuth',
  read({ event: sent }) {
    const event = objectIn(sent);
    if (event === null || typeof event.type !== 'string') return null;
    // A self-service sign-up sends `user.registration.create` too.
    const email = event.type === 'user.create' ? objectIn(event.user)?.email : null;
    return { email, ip: objectIn(event.info)?.ipAddress, eventId: event.id };
  },
  answer: ({ allow, message }) => (allow ? { status: 200, body: {} } : { status: 422, body: { message } }),
  sample: (email, ip) => ({
    headers: { 'content-type': 'application/json', authorization: 'Bearer …' },
    body: {
      event: {
        type: 'user.create',
        id: 'e502168a-b469-45d9-a079-fd45f83e0406',
        info: ip === null ? {} : { ipAddress: ip },
        user: { id: '00000000-0000-0001-0000-000000000000', email },
      },
    },
  }),
  configuration: (url, secret) => [
    { title: 'Settings → Webhooks → Add. Paste the URL and enable the event user.create', code: url },
    { title: 'Headers → Add: name Authorization, value', code: `Bearer ${secret}` },
    {
      title: 'Tenants → Edit → Webhooks: enable user.create with the transaction "All webhooks must succeed"',
      code: null,
    },
  ],
};
