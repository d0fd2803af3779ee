import { AppError } from '../errors.ts';
import { roles, type SessionContext, type SessionUser } from '../http/session-api/session-context.ts';
import { type SessionEndpoint, sessionEndpoint } from '../http/session-api/session-endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { defaulted, object } from '../input/object.ts';
import { choice, text } from '../input/scalar.ts';
import { mostCharacters } from '../input/text-limits.ts';
import { signInUrl } from './access/sign-in-url.ts';
import { orFieldError } from './access/user-problem-error.ts';
import type { SignInLink, User, Users } from './access/users.ts';

/** `GET`, `POST /users`, `DELETE /users/{id}`, `POST /users/{id}/link`. */
export function usersEndpoints(users: Users): SessionEndpoint[] {
  /** A user of the sessionUser's account; another one's is as good as none. Operators are for operators to touch. */
  const theirs = async (id: string, { accountId, role }: SessionUser): Promise<User> => {
    const user = await users.find(id);
    if (user === null || user.accountId !== accountId) throw new AppError('not_found');
    if (user.role === 'operator' && role !== 'operator') throw new AppError('operator_only');
    return user;
  };
  return [
    sessionEndpoint({
      method: 'GET',
      path: '/users',
      operationId: 'consoleUsers',
      access: 'member',
      async handle(_sent, { sessionUser }) {
        return { data: (await users.list(sessionUser.accountId)).map((user) => userBody(user, sessionUser)) };
      },
    }),
    sessionEndpoint({
      method: 'POST',
      path: '/users',
      operationId: 'consoleCreateUser',
      access: 'member',
      status: 201,
      body: object({
        email: text('The email', [mostCharacters(254)]),
        role: defaulted(choice('The role', roles), 'member'),
      }),
      async handle({ body: { email, role } }, context) {
        const { sessionUser, by } = context;
        if (role === 'operator' && sessionUser.role !== 'operator') throw new AppError('operator_only');
        const { accountId } = sessionUser;
        const { user, link } = await orFieldError(users.create({ accountId, email, role }, by));
        return invitationBody(user, link, context);
      },
    }),
    sessionEndpoint({
      method: 'POST',
      path: '/users/{id}/link',
      operationId: 'consoleInviteUser',
      access: 'member',
      status: 201,
      async handle({ params: { id } }, context) {
        const user = await theirs(id, context.sessionUser);
        mustMayInvite(context.sessionUser, user);
        const link = await users.invite(user.id, context.by);
        if (link === null) throw new AppError('not_found');
        return invitationBody(user, link, context);
      },
    }),
    sessionEndpoint({
      method: 'DELETE',
      path: '/users/{id}',
      operationId: 'consoleDeleteUser',
      access: 'member',
      status: 204,
      async handle({ params: { id } }, { sessionUser, by }) {
        const user = await theirs(id, sessionUser);
        if (user.id === sessionUser.userId)
          throw new AppError('validation_failed', { errors: { id: ['Nobody can remove themselves.'] } });
        if (!(await users.remove(user.id, sessionUser.accountId, by))) throw new AppError('not_found');
      },
    }),
  ];
}

/**
 * A link stands in for the password, so whoever makes one for somebody who has a password could take their place; and with
 * one for oneself, a stolen session would become a stolen user.
 */
function mustMayInvite({ userId, role }: SessionUser, user: User): void {
  if (!user.hasPassword) return;
  if (user.id === userId)
    throw new AppError('validation_failed', { errors: { id: ['Set a new password with the one you have.'] } });
  if (role !== 'operator') throw new AppError('operator_only');
}

function userBody({ id, email, role, hasPassword, createdAtMs, signedInAtMs }: User, sessionUser: SessionUser): object {
  return {
    id,
    email,
    role,
    has_password: hasPassword,
    created_at: wireTime(createdAtMs),
    signed_in_at: signedInAtMs === null ? null : wireTime(signedInAtMs),
    you: id === sessionUser.userId,
  };
}

function invitationBody(
  user: User,
  { token, expiresAtMs }: SignInLink,
  { sessionUser, baseUrl }: SessionContext,
): object {
  return {
    user: userBody(user, sessionUser),
    link: { url: signInUrl(baseUrl, token), expires_at: wireTime(expiresAtMs) },
  };
}
