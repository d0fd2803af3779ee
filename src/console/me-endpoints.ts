import { AppError } from '../errors.ts';
import { dataOf, field, listOf, same, time, wireOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import { object, optional } from '../input/object.ts';
import { text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { characters, maxCharacters } from '../input/text-limits.ts';
import type { OwnSession } from './access/sessions.ts';
import type { SessionsStore } from './access/sessions-store.ts';
import type { SignIn } from './access/sign-in.ts';
import { orFieldError } from './access/user-problem-error.ts';
import { meBody, type ReadMe } from './me-body.ts';

const passwordBody = object({
  password: text('The password', [characters(12, 200)]),
  current_password: optional(text('The current password', [maxCharacters(200)])),
  email: optional(text('The email', [maxCharacters(254)])),
});

/** A session as its user sees it from one of them. */
interface ShownSession extends OwnSession {
  readonly location: string | null;
  readonly isCurrent: boolean;
}

const shownSession = wireOf<ShownSession>({
  ...same<ShownSession>({ id: schema.string() }),
  created_at: time(({ createdAtMs }) => createdAtMs),
  seen_at: time(({ seenAtMs }) => seenAtMs),
  ...same<ShownSession>({
    from: schema.nullable(schema.string()),
    location: schema.nullable(schema.string({ description: 'The place of the IP address, as far as it is known' })),
    agent: schema.nullable(schema.string()),
  }),
  current: field(schema.boolean(), ({ isCurrent }) => isCurrent),
});

const shownSessions = dataOf(listOf(shownSession));

export interface MeParts {
  readonly signIn: SignIn;
  readonly sessions: SessionsStore;
  readonly readMe: ReadMe;
  /** The place of an IP address; null when it is unknown. */
  readonly locationOf: (from: string) => string | null;
}

/** `GET /me`, `PUT /me/password`, `GET /me/sessions`, `DELETE /me/sessions/{id}`. */
export function meEndpoints(parts: MeParts): Endpoint[] {
  return [...userEndpoints(parts), ...sessionsEndpoints(parts)];
}

function userEndpoints({ signIn, readMe }: MeParts): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/me',
      operationId: 'consoleMe',
      summary: 'The signed-in user, their account and session',
      accountRole: 'member',
      response: meBody,
      handle: (_sent, { session: { sessionUser } }) => readMe(sessionUser),
    }),
    endpoint({
      ...accountEndpoint,
      method: 'PUT',
      path: '/me/password',
      operationId: 'consoleSetPassword',
      summary: 'Set a password, which ends every other session',
      accountRole: 'member',
      status: 204,
      body: passwordBody,
      async handle(
        { body: { password, current_password: currentPassword, email } },
        { session: { sessionUser, from } },
      ) {
        const wanted = {
          password,
          ...(currentPassword === undefined ? {} : { currentPassword }),
          ...(email === undefined ? {} : { email }),
        };
        await orFieldError(signIn.setPassword(sessionUser, wanted, from));
      },
    }),
  ];
}

function sessionsEndpoints({ sessions, locationOf }: MeParts): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/me/sessions',
      operationId: 'consoleSessions',
      summary: 'The sessions of the signed-in user, newest first',
      accountRole: 'member',
      response: shownSessions,
      async handle(_sent, { session: { sessionUser } }) {
        const own = await sessions.list(sessionUser.userId);
        return own.map((session) => ({
          ...session,
          location: locationOf(session.from),
          isCurrent: session.id === sessionUser.session.id,
        }));
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'DELETE',
      path: '/me/sessions/{id}',
      operationId: 'consoleEndSession',
      summary: 'End one of their own sessions',
      accountRole: 'member',
      status: 204,
      async handle({ params: { id } }, { session: { sessionUser } }) {
        if (!(await sessions.end(id, sessionUser.userId))) throw new AppError('not_found');
      },
    }),
  ];
}
