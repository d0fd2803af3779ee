import { AppError } from '../errors.ts';
import { type ConsoleEndpoint, consoleEndpoint } from '../http/console/console-endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { object, optional } from '../input/object.ts';
import { text } from '../input/scalar.ts';
import { characters, mostCharacters } from '../input/text-limits.ts';
import type { SessionsStore } from './access/sessions-store.ts';
import type { SignIn } from './access/sign-in.ts';
import { orFieldError } from './access/user-problem-error.ts';
import type { MeBody } from './me-body.ts';

const passwordBody = object({
  password: text('The password', [characters(12, 200)]),
  current_password: optional(text('The current password', [mostCharacters(200)])),
  email: optional(text('The email', [mostCharacters(254)])),
});

/** `GET /me`, `PUT /me/password`, `GET /me/sessions`, `DELETE /me/sessions/{id}`. */
export function meEndpoints(signIn: SignIn, sessions: SessionsStore, meBody: MeBody): ConsoleEndpoint[] {
  return [
    consoleEndpoint({
      method: 'GET',
      path: '/me',
      operationId: 'consoleMe',
      access: 'member',
      handle: (_sent, { visitor }) => meBody(visitor),
    }),
    consoleEndpoint({
      method: 'PUT',
      path: '/me/password',
      operationId: 'consoleSetPassword',
      access: 'member',
      status: 204,
      body: passwordBody,
      async handle({ body: { password, current_password: currentPassword, email } }, { visitor, from }) {
        const wanted = {
          password,
          ...(currentPassword === undefined ? {} : { currentPassword }),
          ...(email === undefined ? {} : { email }),
        };
        await orFieldError(signIn.setPassword(visitor, wanted, from));
      },
    }),
    consoleEndpoint({
      method: 'GET',
      path: '/me/sessions',
      operationId: 'consoleSessions',
      access: 'member',
      async handle(_sent, { visitor }) {
        const own = await sessions.list(visitor.userId);
        return {
          data: own.map(({ id, createdAtMs, seenAtMs, from, agent }) => ({
            id,
            created_at: wireTime(createdAtMs),
            seen_at: wireTime(seenAtMs),
            from,
            agent,
            current: id === visitor.session.id,
          })),
        };
      },
    }),
    consoleEndpoint({
      method: 'DELETE',
      path: '/me/sessions/{id}',
      operationId: 'consoleEndSession',
      access: 'member',
      status: 204,
      async handle({ params: { id } }, { visitor }) {
        if (!(await sessions.end(id, visitor.userId))) throw new AppError('not_found');
      },
    }),
  ];
}
