import { AppError } from '../errors.ts';
import { field, nestedOrNull, same, wireOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import type { SessionContext } from '../http/session-api/session-context.ts';
import { object, optional } from '../input/object.ts';
import { flag, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { maxCharacters } from '../input/text-limits.ts';
import type { LinkTarget, Sessions } from './access/sessions.ts';
import type { SessionsStore } from './access/sessions-store.ts';
import type { SignIn } from './access/sign-in.ts';
import type { Users } from './access/users.ts';
import { type Me, meBody, type ReadMe } from './me-body.ts';

const tokenInput = text('The token', [maxCharacters(200)]);

const signInBody = object(
  {
    email: optional(text('The email', [maxCharacters(254)])),
    password: optional(text('The password', [maxCharacters(200)])),
    token: optional(tokenInput),
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

/** Whether a browser is signed in. */
interface SignInState {
  readonly me: Me | null;
  readonly isFirstRun: boolean;
}

const signInState = wireOf<SignInState>({
  me: nestedOrNull(meBody, ({ me }) => me, { description: 'Null when the browser is not signed in' }),
  first_run: field(
    schema.boolean({ description: 'Whether no user has ever signed in' }),
    ({ isFirstRun }) => isFirstRun,
  ),
  command: field(schema.string({ description: 'Prints a sign-in link' }), () => 'npx signalpost users reset-password'),
});

const linkTarget = wireOf<LinkTarget>({
  ...same<LinkTarget>({
    email: schema.string(),
    account: schema.string({ description: 'The name of the account' }),
  }),
});

export interface SignInEndpointParts {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly store: Pick<SessionsStore, 'endAll'>;
  readonly users: Pick<Users, 'hasAnybodySignedIn' | 'list'>;
  readonly readMe: ReadMe;
}

/** `GET`, `POST /sign-in`, `POST /sign-in/link`, `POST /sign-out`. */
export function signInEndpoints({ signIn, sessions, store, users, readMe }: SignInEndpointParts): Endpoint[] {
  /** Stays true once a user has signed in, so that anonymous requests cost no query. */
  let hasFirstUser = false;

  /** The token is always new: a session that the browser already had ends. */
  const startSession = async (token: string, context: SessionContext): Promise<Me> => {
    if (context.token !== null) await sessions.end(context.token);
    const sessionUser = await sessions.identify(token);
    if (sessionUser === null) throw new AppError('session_required');
    context.setSession(token);
    hasFirstUser = true;
    return await readMe(sessionUser);
  };

  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/sign-in',
      operationId: 'consoleSignInState',
      summary: 'Whether the browser is signed in',
      accountRole: 'visitor',
      response: signInState,
      // Being signed out is not an error here: a page that has just opened does not know yet.
      async handle(_sent, { session: { token } }) {
        const sessionUser = token === null ? null : await sessions.identify(token);
        hasFirstUser ||= sessionUser !== null || (await users.hasAnybodySignedIn());
        return { me: sessionUser === null ? null : await readMe(sessionUser), isFirstRun: !hasFirstUser };
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'POST',
      path: '/sign-in',
      operationId: 'consoleSignIn',
      summary: 'Sign in with a password or a one-time link',
      accountRole: 'visitor',
      body: signInBody,
      response: meBody,
      async handle({ body: { email = '', password = '', token } }, { session: context }) {
        const created =
          token === undefined ? await signIn.byPassword(email, password, context) : await signIn.byLink(token, context);
        return await startSession(created, context);
      },
    }),
    readLinkEndpoint(signIn),
    signOutEndpoint(sessions, store),
  ];
}

/** A page that opens a link must not sign in by itself: the link may be another person's, in a mail or on a page that they made. */
function readLinkEndpoint(signIn: SignIn): Endpoint {
  return endpoint({
    ...accountEndpoint,
    method: 'POST',
    path: '/sign-in/link',
    operationId: 'consoleReadLink',
    summary: 'Whom a one-time link signs in; the link stays valid',
    accountRole: 'visitor',
    body: object({ token: tokenInput }),
    response: linkTarget,
    handle: ({ body: { token } }, { session: { from } }) => signIn.readLink(token, from),
  });
}

function signOutEndpoint(sessions: Sessions, store: SignInEndpointParts['store']): Endpoint {
  return endpoint({
    ...accountEndpoint,
    method: 'POST',
    path: '/sign-out',
    operationId: 'consoleSignOut',
    summary: 'Sign out, here or everywhere',
    accountRole: 'visitor',
    status: 204,
    body: object({ everywhere: optional(flag('The everywhere field')) }),
    async handle({ body: { everywhere = false } }, { session: context }) {
      const sessionUser = context.token === null ? null : await sessions.identify(context.token);
      if (sessionUser !== null && everywhere) await store.endAll(sessionUser.userId);
      if (context.token !== null) await sessions.end(context.token);
      context.setSession(null);
    },
  });
}
