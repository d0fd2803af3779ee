import { randomBytes } from 'node:crypto';
import type { HookFormat, JsonObject } from './format.ts';
import { headerText, timedSignatures, timeIn, verifyHmac } from './hmac.ts';
import { objectIn } from './json-object.ts';

const methods = ['AddHumanUser', 'CreateUser'].map((name) => `/zitadel.user.v2.UserService/${name}`);

/**
 * Zitadel Actions v2, an execution on the request that creates a user. An empty body leaves the request as it is; any JSON would
 * replace it (zitadel/zitadel, internal/execution/execution.go).
 */
export const zitadel: HookFormat = {
  label: 'Zitadel',
  header: 'zitadel-signature',
  // It signs those payloads like JSON.
  bodyAdvice: 'Set the payload type of the target to JSON: JWT and JWE payloads are not supported.',
  secretFromServer: true,
  createSecret: () => randomBytes(24).toString('base64url'),
  verify({ headers, body }, secrets, nowMs) {
    const { time, signatures } = timedSignatures(headerText(headers['zitadel-signature']));
    const timeMs = timeIn(time, 1_000);
    const header = 'ZITADEL-Signature';
    return verifyHmac({ timeMs, prefix: `${time}.`, body, signatures, encoding: 'hex', header }, secrets, nowMs);
  },
  read({ request: sent, headers }) {
    const request = objectIn(sent);
    if (request === null) return null;
    const human = objectIn(request.human);
    const email = objectIn(request.email) ?? objectIn(human?.email);
    return { email: email?.email, ip: forwardedFor(objectIn(headers)), eventId: null };
  },
  answer: ({ allow, message }) =>
    allow ? { status: 200 } : { status: 200, body: { forwardedStatusCode: 403, forwardedErrorMessage: message } },
  sample: (email, ip) => ({
    headers: { 'content-type': 'application/json', 'zitadel-signature': 't=…,v1=…' },
    body: {
      fullMethod: methods[0],
      instanceID: '300000000000000000',
      orgID: '300000000000000001',
      userID: '300000000000000002',
      request: { profile: { givenName: 'Jane', familyName: 'Doe' }, email: { email } },
      headers: ip === null ? {} : { 'X-Forwarded-For': [ip] },
    },
  }),
  configuration: (url, secret) => [
    {
      title: 'Create a target of type REST call that interrupts on error (POST /v2/actions/targets)',
      code: JSON.stringify(
        {
          name: 'Signalpost',
          restCall: { interruptOnError: true },
          endpoint: url,
          timeout: '3s',
          payloadType: 'PAYLOAD_TYPE_JSON',
        },
        null,
        2,
      ),
    },
    { title: 'Set the signingKey of the response as the secret of this hook', code: secret },
    {
      title: 'Execute the target on both requests that create a user (PUT /v2/actions/executions, once for each)',
      code: methods
        .map((method) => JSON.stringify({ condition: { request: { method } }, targets: ['TARGET_ID'] }))
        .join('\n'),
    },
  ],
};

/** Zitadel passes a header as a text or a list, its name in any case. */
function forwardedFor(headers: JsonObject | null): unknown {
  const found = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'x-forwarded-for');
  return Array.isArray(found?.[1]) ? found[1].join(',') : found?.[1];
}
