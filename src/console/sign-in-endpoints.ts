import { AppError } from '../errors.ts';
import { type ConsoleEndpoint, consoleEndpoint } from '../http/console/console-endpoint.ts';
import type { Visit } from '../http/console/visit.ts';
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
export function signInEndpoints({ signIn, sessions, store, users, meBody }: SignInEndpointParts): ConsoleEndpoint[] {
  /** Once anybody has, it stays so: strangers who ask cost no query. */
  let someoneHasSignedIn = false;

  /** The token never comes from the browser: what it had before is ended, not taken on. */
  const welcome = async (token: string, visit: Visit): Promise<object> => {
    if (visit.token !== null) await sessions.end(visit.token);
    const visitor = await sessions.identify(token);
    if (visitor === null) throw new AppError('session_required');
    visit.keepSession(token);
    someoneHasSignedIn = true;
    return await meBody(visitor);
  };

  return [
    consoleEndpoint({
      method: 'GET',
      path: '/sign-in',
      operationId: 'consoleStanding',
      access: 'anybody',
      // Nobody is an answer and no failure: a page that has just been opened asks without knowing.
      async handle(_sent, { token }) {
        const visitor = token === null ? null : await sessions.identify(token);
        someoneHasSignedIn ||= visitor !== null || (await users.hasAnybodySignedIn());
        return {
          me: visitor === null ? null : await meBody(visitor),
          first_run: !someoneHasSignedIn,
          command: 'npx signalpost users reset-password',
        };
      },
    }),
    consoleEndpoint({
      method: 'POST',
      path: '/sign-in',
      operationId: 'consoleSignIn',
      access: 'anybody',
      body: signInBody,
      async handle({ body: { email = '', password = '', token } }, visit) {
        const made =
          token === undefined ? await signIn.byPassword(email, password, visit) : await signIn.byLink(token, visit);
        return await welcome(made, visit);
      },
    }),
    consoleEndpoint({
      method: 'POST',
      path: '/sign-out',
      operationId: 'consoleSignOut',
      access: 'anybody',
      status: 204,
      body: object({ everywhere: optional(flag('The everywhere field')) }),
      async handle({ body: { everywhere = false } }, visit) {
        const visitor = visit.token === null ? null : await sessions.identify(visit.token);
        if (visitor !== null && everywhere) await store.endAll(visitor.userId);
        if (visit.token !== null) await sessions.end(visit.token);
        visit.keepSession(null);
      },
    }),
  ];
}
