import { AppError } from '../errors.ts';
import type { SessionContext } from '../http/session-api/session-context.ts';
import { type SessionEndpoint, sessionEndpoint } from '../http/session-api/session-endpoint.ts';
import { object, optional } from '../input/object.ts';
import { flag, text } from '../input/scalar.ts';
import { mostCharacters } from '../input/text-limits.ts';
import type { Sessions } from './access/sessions.ts';
import type { SessionsStore } from './access/sessions-store.ts';
import type { SignIn } from './access/sign-in.ts';
import type { Users } from './access/users.ts';
import type { MeBody } from './me-body.ts';

const signInBody = object(
  {
    email: optional(text('The email', [mostCharacters(254)])),
    password: optional(text('The password', [mostCharacters(200)])),
    token: optional(text('The token', [mostCharacters(200)])),
  },
  {
    together({ email, password, token }, report) {
      if (token !== undefined) {
        if (email !== undefined || password !== undefined) report('token', 'Send a token, or email and password.');
        return;
      }
      if (email === undefined) report('email', 'The email field is required.');
      if (password === undefined) report('password', 'The password field is required.');
    },
  },
);

/** What the endpoints of signing in stand on. */
export interface SignInEndpointParts {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly store: Pick<SessionsStore, 'endAll'>;
  readonly users: Pick<Users, 'hasAnybodySignedIn' | 'list'>;
  readonly meBody: MeBody;
}

/** `GET`, `POST /sign-in`, `POST /sign-out`. */
export function signInEndpoints({ signIn, sessions, store, users, meBody }: SignInEndpointParts): SessionEndpoint[] {
  /** Once anybody has, it stays so: strangers who ask cost no query. */
  let someoneHasSignedIn = false;

  /** The token never comes from the browser: what it had before is ended, not taken on. */
  const welcome = async (token: string, context: SessionContext): Promise<object> => {
    if (context.token !== null) await sessions.end(context.token);
    const sessionUser = await sessions.identify(token);
    if (sessionUser === null) throw new AppError('session_required');
    context.setSession(token);
    someoneHasSignedIn = true;
    return await meBody(sessionUser);
  };

  return [
    sessionEndpoint({
      method: 'GET',
      path: '/sign-in',
      operationId: 'consoleStanding',
      access: 'public',
      // Nobody is an answer and no failure: a page that has just been opened asks without knowing.
      async handle(_sent, { token }) {
        const sessionUser = token === null ? null : await sessions.identify(token);
        someoneHasSignedIn ||= sessionUser !== null || (await users.hasAnybodySignedIn());
        return {
          me: sessionUser === null ? null : await meBody(sessionUser),
          first_run: !someoneHasSignedIn,
          command: 'npx signalpost users reset-password',
        };
      },
    }),
    sessionEndpoint({
      method: 'POST',
      path: '/sign-in',
      operationId: 'consoleSignIn',
      access: 'public',
      body: signInBody,
      async handle({ body: { email = '', password = '', token } }, context) {
        const made =
          token === undefined ? await signIn.byPassword(email, password, context) : await signIn.byLink(token, context);
        return await welcome(made, context);
      },
    }),
    sessionEndpoint({
      method: 'POST',
      path: '/sign-out',
      operationId: 'consoleSignOut',
      access: 'public',
      status: 204,
      body: object({ everywhere: optional(flag('The everywhere field')) }),
      async handle({ body: { everywhere = false } }, context) {
        const sessionUser = context.token === null ? null : await sessions.identify(context.token);
        if (sessionUser !== null && everywhere) await store.endAll(sessionUser.userId);
        if (context.token !== null) await sessions.end(context.token);
        context.setSession(null);
      },
    }),
  ];
}
