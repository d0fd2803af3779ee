import { AppError } from '../errors.ts';
import { type ConsoleEndpoint, consoleEndpoint } from '../http/console/console-endpoint.ts';
import { roles, type Visit, type Visitor } from '../http/console/visit.ts';
import { wireTime } from '../http/wire-time.ts';
import { defaulted, object } from '../input/object.ts';
import { choice, text } from '../input/scalar.ts';
import { mostCharacters } from '../input/text-limits.ts';
import { signInUrl } from './access/sign-in-url.ts';
import { orFieldError } from './access/user-problem-error.ts';
import type { SignInLink, User, Users } from './access/users.ts';

/** `GET`, `POST /users`, `DELETE /users/{id}`, `POST /users/{id}/link`. */
export function usersEndpoints(users: Users): ConsoleEndpoint[] {
  /** A user of the visitor's account; another one's is as good as none. Operators are for operators to touch. */
  const theirs = async (id: string, { accountId, role }: Visitor): Promise<User> => {
    const user = await users.find(id);
    if (user === null || user.accountId !== accountId) throw new AppError('not_found');
    if (user.role === 'operator' && role !== 'operator') throw new AppError('operator_only');
    return user;
  };
  return [
    consoleEndpoint({
      method: 'GET',
      path: '/users',
      operationId: 'consoleUsers',
      access: 'member',
      async handle(_sent, { visitor }) {
        return { data: (await users.list(visitor.accountId)).map((user) => userBody(user, visitor)) };
      },
    }),
    consoleEndpoint({
      method: 'POST',
      path: '/users',
      operationId: 'consoleCreateUser',
      access: 'member',
      status: 201,
      body: object({
        email: text('The email', [mostCharacters(254)]),
        role: defaulted(choice('The role', roles), 'member'),
      }),
      async handle({ body: { email, role } }, visit) {
        const { visitor, by } = visit;
        if (role === 'operator' && visitor.role !== 'operator') throw new AppError('operator_only');
        const { accountId } = visitor;
        const { user, link } = await orFieldError(users.create({ accountId, email, role }, by));
        return invitationBody(user, link, visit);
      },
    }),
    consoleEndpoint({
      method: 'POST',
      path: '/users/{id}/link',
      operationId: 'consoleInviteUser',
      access: 'member',
      status: 201,
      async handle({ params: { id } }, visit) {
        const user = await theirs(id, visit.visitor);
        mustMayInvite(visit.visitor, user);
        const link = await users.invite(user.id, visit.by);
        if (link === null) throw new AppError('not_found');
        return invitationBody(user, link, visit);
      },
    }),
    consoleEndpoint({
      method: 'DELETE',
      path: '/users/{id}',
      operationId: 'consoleDeleteUser',
      access: 'member',
      status: 204,
      async handle({ params: { id } }, { visitor, by }) {
        const user = await theirs(id, visitor);
        if (user.id === visitor.userId)
          throw new AppError('validation_failed', { errors: { id: ['Nobody can remove themselves.'] } });
        if (!(await users.remove(user.id, visitor.accountId, by))) throw new AppError('not_found');
      },
    }),
  ];
}

/**
 * A link stands in for the password, so whoever makes one for somebody who has a password could take their place; and with
 * one for oneself, a stolen session would become a stolen user.
 */
function mustMayInvite({ userId, role }: Visitor, user: User): void {
  if (!user.hasPassword) return;
  if (user.id === userId)
    throw new AppError('validation_failed', { errors: { id: ['Set a new password with the one you have.'] } });
  if (role !== 'operator') throw new AppError('operator_only');
}

function userBody({ id, email, role, hasPassword, createdAtMs, signedInAtMs }: User, visitor: Visitor): object {
  return {
    id,
    email,
    role,
    has_password: hasPassword,
    created_at: wireTime(createdAtMs),
    signed_in_at: signedInAtMs === null ? null : wireTime(signedInAtMs),
    you: id === visitor.userId,
  };
}

function invitationBody(user: User, { token, expiresAtMs }: SignInLink, { visitor, baseUrl }: Visit): object {
  return {
    user: userBody(user, visitor),
    link: { url: signInUrl(baseUrl, token), expires_at: wireTime(expiresAtMs) },
  };
}
