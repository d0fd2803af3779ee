import { bearer, verifyToken } from './bearer.ts';
import type { HookFormat } from './format.ts';
import { objectIn } from './json-object.ts';

/** Okta's registration inline hook (okta/okta-developer-docs, docs/reference/registration-hook). */
export const okta: HookFormat = {
  ...bearer,
  label: 'Okta',
  // Okta sends the configured value as it is: the secret, which may itself begin with a scheme, or one with a scheme before it.
  verify(call, secrets) {
    const whole = verifyToken(call, secrets, /^/);
    return 'secret' in whole ? whole : verifyToken(call, secrets, /^(?:Bearer +)?/i);
  },
  read({ eventType, eventId, requestType, data: sent }) {
    const data = objectIn(sent);
    if (eventType !== 'com.okta.user.pre-registration' || data === null) return null;
    const { email, login } = objectIn(data.userProfile) ?? {};
    const request = objectIn(objectIn(data.context)?.request);
    // A progressive profile belongs to a user who exists already.
    const isSignUp = requestType !== 'progressive.profile';
    return { email: isSignUp ? (email ?? addressIn(login)) : null, ip: request?.ipAddress, eventId };
  },
  answer: ({ allow, message }) => ({
    status: 200,
    body: {
      commands: [{ type: 'com.okta.action.update', value: { registration: allow ? 'ALLOW' : 'DENY' } }],
      ...(allow
        ? {}
        : {
            error: {
              errorSummary: message,
              errorCauses: [
                {
                  errorSummary: message,
                  reason: 'EMAIL_REFUSED',
                  locationType: 'body',
                  location: 'data.userProfile.email',
                  domain: 'end-user',
                },
              ],
            },
          }),
    },
  }),
  sample: (email, ip) => ({
    headers: { 'content-type': 'application/json', authorization: '…' },
    body: {
      eventId: '04Dmt8BcT_aEgM',
      eventType: 'com.okta.user.pre-registration',
      requestType: 'self.service.registration',
      data: {
        context: { request: ip === null ? {} : { ipAddress: ip } },
        userProfile: { login: email, email, firstName: 'Jane', lastName: 'Doe' },
        action: 'ALLOW',
      },
    },
  }),
  configuration: (url, secret) => [
    { title: 'Workflow → Inline Hooks → Add Inline Hook → Registration. Paste the URL', code: url },
    {
      title: 'Authentication: HTTP headers. Authentication field "Authorization", authentication secret',
      code: secret,
    },
    {
      title: 'Use the hook in the profile enrolment policy of your app (Security → User Profile Policies)',
      code: null,
    },
  ],
};

/** A login need not be an address. */
const addressIn = (login: unknown): unknown => (typeof login === 'string' && login.includes('@') ? login : null);
