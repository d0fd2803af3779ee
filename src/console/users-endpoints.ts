import { AppError } from '../errors.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import { roles, type SessionUser } from '../http/session-api/session-context.ts';
import { wireTime } from '../http/wire-time.ts';
import { defaulted, object } from '../input/object.ts';
import { choice, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { mostCharacters } from '../input/text-limits.ts';
import { signInUrl } from './access/sign-in-url.ts';
import { orFieldError } from './access/user-problem-error.ts';
import type { SignInLink, User, Users } from './access/users.ts';

const userSchema = schema.object({
  id: schema.string(),
  email: schema.string(),
  role: schema.oneOf(roles),
  has_password: schema.boolean(),
  created_at: schema.string(),
  signed_in_at: schema.nullable(schema.string()),
  you: schema.boolean(),
});

const invitationSchema = schema.object({
  user: userSchema,
  link: schema.object({ url: schema.string(), expires_at: schema.string() }),
});

/** `GET`, `POST /users`, `DELETE /users/{id}`, `POST /users/{id}/link`. */
export function usersEndpoints(users: Users): Endpoint[] {
  /** A user of the same account; another account's user is not found. Only operators change operators. */
  const findUser = async (id: string, { accountId, role }: SessionUser): Promise<User> => {
    const user = await users.find(id);
    if (user === null || user.accountId !== accountId) throw new AppError('not_found');
    if (user.role === 'operator' && role !== 'operator') throw new AppError('operator_only');
    return user;
  };
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/users',
      operationId: 'consoleUsers',
      summary: 'The users of the account, oldest first',
      accountRole: 'member',
      response: schema.object({ data: schema.array(userSchema) }),
      async handle(_sent, { session: { sessionUser } }) {
        return { data: (await users.list(sessionUser.accountId)).map((user) => userBody(user, sessionUser)) };
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'POST',
      path: '/users',
      operationId: 'consoleCreateUser',
      summary: 'Create a user, with a sign-in link',
      accountRole: 'member',
      status: 201,
      body: object({
        email: text('The email', [mostCharacters(254)]),
        role: defaulted(choice('The role', roles), 'member'),
      }),
      response: invitationSchema,
      async handle({ body: { email, role } }, { session: context }) {
        const { sessionUser, by } = context;
        if (role === 'operator' && sessionUser.role !== 'operator') throw new AppError('operator_only');
        const { accountId } = sessionUser;
        const base = context.linkBase();
        const { user, link } = await orFieldError(users.create({ accountId, email, role }, by));
        return invitationBody(user, link, sessionUser, base);
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'POST',
      path: '/users/{id}/link',
      operationId: 'consoleInviteUser',
      summary: 'Create a sign-in link, which replaces the previous one',
      accountRole: 'member',
      status: 201,
      response: invitationSchema,
      async handle({ params: { id } }, { session: context }) {
        const { sessionUser, by } = context;
        const user = await findUser(id, sessionUser);
        assertMayInvite(sessionUser, user);
        const base = context.linkBase();
        const link = await users.invite(user.id, by);
        if (link === null) throw new AppError('not_found');
        return invitationBody(user, link, sessionUser, base);
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'DELETE',
      path: '/users/{id}',
      operationId: 'consoleDeleteUser',
      summary: 'Delete a user and end their sessions',
      accountRole: 'member',
      status: 204,
      async handle({ params: { id } }, { session: { sessionUser, by } }) {
        const user = await findUser(id, sessionUser);
        if (user.id === sessionUser.userId)
          throw new AppError('validation_failed', { errors: { id: ['You cannot delete yourself.'] } });
        if (!(await users.remove(user.id, sessionUser.accountId, by))) throw new AppError('not_found');
      },
    }),
  ];
}

/**
 * A link replaces the password: a member could use one to take over a user who has a password, and a stolen session could use
 * one to take over its own user for good.
 */
function assertMayInvite({ userId, role }: SessionUser, user: User): void {
  if (!user.hasPassword) return;
  if (user.id === userId)
    throw new AppError('validation_failed', { errors: { id: ['Change your password with your current one.'] } });
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
  sessionUser: SessionUser,
  base: string,
): object {
  return {
    user: userBody(user, sessionUser),
    link: { url: signInUrl(base, token), expires_at: wireTime(expiresAtMs) },
  };
}
