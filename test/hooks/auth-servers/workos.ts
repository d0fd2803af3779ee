import { pathToFileURL } from 'node:url';
import type { AuthServerKind, SeenAnswer } from './auth-server.ts';

/** The part of `@workos-inc/node` that signs and verifies actions. */
interface Actions {
  computeSignature(timestamp: number, payload: unknown, secret: string): Promise<string>;
}

interface ActionAnswer {
  readonly object: string;
  readonly payload: { readonly timestamp: number; readonly verdict: string; readonly error_message?: string };
  readonly signature: string;
}

/** In the place of WorkOS's servers: its published client signs the request and computes the signature that the answer must have. */
export const workos: AuthServerKind = {
  variable: 'WORKOS_CLIENT',
  secret: 'the-secret-that-workos-shows-0123456789',
  async start(program, { url, secret }) {
    const { WorkOS } = (await import(pathToFileURL(program).href)) as {
      WorkOS: new (key: string) => { actions: Actions };
    };
    const { actions } = new WorkOS('sk_not_used');
    let count = 0;
    return {
      async signUp(email) {
        count += 1;
        const body = JSON.stringify({
          id: `user_registration_action_${count}`,
          object: 'user_registration_action_context',
          user_data: { object: 'user_data', email, first_name: 'Jane', last_name: 'Doe' },
          invitation: null,
          ip_address: '8.8.8.8',
          user_agent: 'Mozilla/5.0',
          device_fingerprint: null,
        });
        const timestamp = Date.now();
        const signature = await actions.computeSignature(timestamp, body, secret);
        const headers = { 'content-type': 'application/json', 'workos-signature': `t=${timestamp}, v1=${signature}` };
        if (url === null) return { status: 200, message: '' };
        return fetch(url, { method: 'POST', headers, body }).then(
          (answer) => seenAnswer(answer, actions, secret),
          () => ({ status: 503, message: 'what WorkOS shows is set in its dashboard' }),
        );
      },
      stop: async () => {},
    };
  },
};

async function seenAnswer(answer: Response, actions: Actions, secret: string): Promise<SeenAnswer> {
  if (!answer.ok) return { status: answer.status, message: await answer.text() };
  const { object, payload, signature } = (await answer.json()) as ActionAnswer;
  const expected = await actions.computeSignature(payload.timestamp, payload, secret);
  if (object !== 'user_registration_action_response' || signature !== expected) {
    return { status: 500, message: 'the signature of the answer is wrong' };
  }
  return { status: payload.verdict === 'Allow' ? 200 : 403, message: payload.error_message ?? '' };
}
