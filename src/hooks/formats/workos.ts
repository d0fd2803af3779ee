import { createHmac, randomBytes } from 'node:crypto';
import type { HookFormat } from './format.ts';
import { headerText, timedSignatures, timeIn, verifyHmac } from './hmac.ts';

/** WorkOS AuthKit Actions, user registration; answers are signed too (workos/workos-node, src/actions/actions.ts). */
export const workos: HookFormat = {
  label: 'WorkOS',
  header: 'workos-signature',
  secretFromServer: true,
  createSecret: () => randomBytes(24).toString('base64url'),
  verify({ headers, body }, secrets, nowMs) {
    const { time, signatures } = timedSignatures(headerText(headers['workos-signature']));
    const timeMs = timeIn(time, 1);
    const header = 'WorkOS-Signature';
    return verifyHmac({ timeMs, prefix: `${time}.`, body, signatures, encoding: 'hex', header }, secrets, nowMs);
  },
  read(body) {
    if (body.object !== 'user_registration_action_context') return null;
    const { user_data: user, invitation, ip_address: ip, id } = body;
    const email = typeof user === 'object' && user !== null ? Reflect.get(user, 'email') : null;
    // A customer sent the invitation: the person is known.
    return { email: (invitation ?? null) === null ? email : null, ip, eventId: id };
  },
  answer({ allow, message }, { secret, nowMs }) {
    const payload = {
      timestamp: nowMs,
      verdict: allow ? 'Allow' : 'Deny',
      ...(allow ? {} : { error_message: message }),
    };
    const signature = createHmac('sha256', secret)
      .update(`${nowMs}.${JSON.stringify(payload)}`)
      .digest('hex');
    return { status: 200, body: { object: 'user_registration_action_response', payload, signature } };
  },
  sample: (email, ip) => ({
    headers: { 'content-type': 'application/json', 'workos-signature': 't=…, v1=…' },
    body: {
      id: '01JATCHZVEC5EPANDPEZVM68Y9',
      object: 'user_registration_action_context',
      user_data: { object: 'user_data', email, first_name: 'Jane', last_name: 'Doe' },
      invitation: null,
      ip_address: ip,
      user_agent: 'Mozilla/5.0',
      device_fingerprint: null,
    },
  }),
  configuration: (url, secret) => [
    { title: 'WorkOS dashboard → Authentication → Actions → User registration. Paste the URL', code: url },
    { title: 'Set the secret that the dashboard shows as the secret of this hook', code: secret },
    { title: 'Enable the action; choose what happens when it cannot be reached', code: null },
  ],
};
