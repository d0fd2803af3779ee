import type { Config } from '../../config.ts';
import { signInUrl } from '../../console/access/sign-in-url.ts';
import type { SignInLink, User, Users } from '../../console/access/users.ts';
import { roles } from '../../http/session-api/session-context.ts';
import { wireTime } from '../../http/wire-time.ts';
import { type Command, type Output, required, table, UsageError } from '../command.ts';
import { consoleBase } from '../console-base.ts';
import { type Service, withService } from '../open-service.ts';
import { accountOption } from '../owner-options.ts';

/** `signalpost users …`. */
export const userCommands: readonly Command[] = [
  {
    name: 'users create',
    usage: `--account ID --email E [--role ${roles.join('|')}]`,
    summary: 'Invite a user to the console; prints a link that works once, within a day',
    options: {
      account: accountOption,
      email: { type: 'string', value: 'E', help: 'the address of the user' },
      role: { type: 'string', value: roles.join('|'), help: 'what the user may do; default member' },
    },
    example: 'users create --account ACCOUNT_ID --email jane@example.com',
    positionals: [0, 0],
    run(invocation) {
      const accountId = required(invocation, 'account');
      const email = required(invocation, 'email');
      const named = invocation.options.role ?? 'member';
      const role = roles.find((known) => known === named);
      if (role === undefined) throw new UsageError(`--role is one of ${roles.join(', ')}, not "${named}"`);
      return withUsers(invocation.config, async (users, { by }) => {
        const { user, link } = await users.create({ accountId, email, role }, by);
        return linkOutput(invocation.config, `Created user ${user.id} (${role})`, user, link);
      });
    },
  },
  {
    name: 'users list',
    usage: '[--account ID]',
    summary: 'List the console users',
    options: { account: { type: 'string', value: 'ID', help: 'only the users of this account' } },
    example: 'users list',
    positionals: [0, 0],
    run: ({ config, options }) =>
      withUsers(config, async (users, { accounts }) => {
        if (options.account !== undefined) await accounts.read(options.account);
        const found = await users.list(options.account ?? null);
        const rows = found.map(({ id, accountId, email, role, signedInAtMs }) => [
          id,
          accountId,
          email,
          role,
          signedInAtMs === null ? 'never' : wireTime(signedInAtMs),
        ]);
        return { json: found.map(wire), text: table(['id', 'account', 'email', 'role', 'signed in'], rows) };
      }),
  },
  {
    name: 'users reset-password',
    usage: '[--email E [--account ID]]',
    summary:
      "Revoke a user's password and sessions, and print a link to set a new password; without a name, for the first user until a user has signed in",
    options: {
      email: { type: 'string', value: 'E', help: 'the address of the user; not needed while there is only one' },
      account: { type: 'string', value: 'ID', help: 'the account, when the address is in several' },
    },
    example: 'users reset-password --email jane@example.com',
    positionals: [0, 0],
    run: ({ config, options: { email, account } }) =>
      withUsers(config, async (users, { accounts, by }) => {
        if (account !== undefined) await accounts.read(account);
        if (email === undefined) {
          const first = await users.inviteFirst(by);
          if (first === null) throw new UsageError('--email is missing: name the user whose password is to be reset');
          return linkOutput(config, `User ${first.user.id} (${first.user.email})`, first.user, first.link);
        }
        const user = await findUser(users, email, account ?? null);
        const link = await users.resetPassword(user.id, by);
        if (link === null) throw new Error(`there is no user "${email}"`);
        return linkOutput(config, `User ${user.id} has no password and no session now`, user, link);
      }),
  },
  {
    name: 'users delete',
    usage: 'USER_ID',
    summary: 'Remove a user from the console; their sessions end immediately',
    options: {},
    example: 'users delete USER_ID',
    positionals: [1, 1],
    run: ({ config, positionals: [id = ''] }) =>
      withUsers(config, async (users, { by }) => {
        const user = await users.find(id);
        const isGone = user !== null && (await users.remove(id, user.accountId, by));
        if (!isGone) throw new Error(`there is no user "${id}"`);
        return { json: { id, deleted: true }, text: `Deleted user ${id}` };
      }),
  },
];

/** Several accounts may have invited one address. */
async function findUser(users: Users, email: string, accountId: string | null): Promise<User> {
  const named = (await users.list(accountId)).filter((user) => user.email === email.trim().toLowerCase());
  const user = named.find(({ hasPassword }) => hasPassword) ?? named[0];
  if (user === undefined) throw new Error(`there is no user "${email}"`);
  if (named.length > 1 && !user.hasPassword)
    throw new UsageError(`--account is missing: several accounts have invited "${email}"`);
  return user;
}

function withUsers(config: Config, work: (users: Users, service: Service) => Promise<Output>): Promise<Output> {
  return withService(config, async (service) => work(await service.users(), service));
}

function linkOutput(config: Config, done: string, user: User, { token, expiresAtMs }: SignInLink): Output {
  const url = signInUrl(consoleBase(config), token);
  return {
    json: { ...wire(user), link: url, link_expires_at: wireTime(expiresAtMs) },
    text: `${done}. This link works once, until ${wireTime(expiresAtMs)}:\n${url}`,
  };
}

function wire({ id, accountId, email, role, createdAtMs, signedInAtMs }: User) {
  return {
    id,
    account: accountId,
    email,
    role,
    created_at: wireTime(createdAtMs),
    signed_in_at: signedInAtMs === null ? null : wireTime(signedInAtMs),
  };
}
