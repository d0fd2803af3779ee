import { AppError } from '../errors.ts';
import { dataOf, field, listOf, nested, same, time, timeOrNull, wireOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import { roles, type SessionUser } from '../http/session-api/session-context.ts';
import { defaulted, object } from '../input/object.ts';
import { choice, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { maxCharacters } from '../input/text-limits.ts';
import { signInUrl } from './access/sign-in-url.ts';
import { orFieldError } from './access/user-problem-error.ts';
import type { SignInLink, User, Users } from './access/users.ts';

/** A user as another user of the account sees them. */
interface ShownUser extends User {
  readonly isViewer: boolean;
}

interface Invitation {
  readonly user: ShownUser;
  readonly link: SignInLink;
  /** The base of the link's URL. */
  readonly base: string;
}

const shownUser = wireOf<ShownUser>({
  ...same<ShownUser>({ id: schema.string(), email: schema.string(), role: schema.oneOf(roles) }),
  has_password: field(schema.boolean(), ({ hasPassword }) => hasPassword),
  created_at: time(({ createdAtMs }) => createdAtMs),
  signed_in_at: timeOrNull(({ signedInAtMs }) => signedInAtMs),
  you: field(schema.boolean(), ({ isViewer }) => isViewer),
});

const shownUsers = dataOf(listOf(shownUser));

const invitation = wireOf<Invitation>({
  user: nested(shownUser, ({ user }) => user),
  'link.url': field(schema.string(), ({ base, link }) => signInUrl(base, link.token)),
  'link.expires_at': time(({ link }) => link.expiresAtMs),
});

/** `GET`, `POST /users`, `DELETE /users/{id}`, `POST /users/{id}/link`. */
export function usersEndpoints(users: Users): Endpoint[] {
  return [...accountUsersEndpoints(users), ...oneUserEndpoints(users)];
}

function accountUsersEndpoints(users: Users): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/users',
      operationId: 'consoleUsers',
      summary: 'The users of the account, oldest first',
      accountRole: 'member',
      response: shownUsers,
      async handle(_sent, { session: { sessionUser } }) {
        return (await users.list(sessionUser.accountId)).map((user) => shownTo(sessionUser, user));
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
        email: text('The email', [maxCharacters(254)]),
        role: defaulted(choice('The role', roles), 'member'),
      }),
      response: invitation,
      async handle({ body: { email, role } }, { session: context }) {
        const { sessionUser, by } = context;
        if (role === 'operator' && sessionUser.role !== 'operator') throw new AppError('operator_only');
        const { accountId } = sessionUser;
        const base = context.linkBase();
        const { user, link } = await orFieldError(users.create({ accountId, email, role }, by));
        return { user: shownTo(sessionUser, user), link, base };
      },
    }),
  ];
}

function oneUserEndpoints(users: Users): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'POST',
      path: '/users/{id}/link',
      operationId: 'consoleInviteUser',
      summary: 'Create a sign-in link, which replaces the previous one',
      accountRole: 'member',
      status: 201,
      response: invitation,
      async handle({ params: { id } }, { session: context }) {
        const { sessionUser, by } = context;
        const user = await findUser(users, id, sessionUser);
        assertMayInvite(sessionUser, user);
        const base = context.linkBase();
        const link = await users.invite(user.id, by);
        if (link === null) throw new AppError('not_found');
        return { user: shownTo(sessionUser, user), link, base };
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
        const user = await findUser(users, id, sessionUser);
        if (user.id === sessionUser.userId)
          throw new AppError('validation_failed', { errors: { id: ['You cannot delete yourself.'] } });
        if (!(await users.remove(user.id, sessionUser.accountId, by))) throw new AppError('not_found');
      },
    }),
  ];
}

/** A user of the same account; another account's user is not found. Only operators change operators. */
async function findUser(users: Users, id: string, { accountId, role }: SessionUser): Promise<User> {
  const user = await users.find(id);
  if (user === null || user.accountId !== accountId) throw new AppError('not_found');
  if (user.role === 'operator' && role !== 'operator') throw new AppError('operator_only');
  return user;
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

function shownTo({ userId }: SessionUser, user: User): ShownUser {
  return { ...user, isViewer: user.id === userId };
}
