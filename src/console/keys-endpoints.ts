import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import {
  dataOf,
  field,
  listOf,
  nested,
  nestedOrNull,
  same,
  time,
  timeOrNull,
  wireOf,
} from '../http/answers/wire-fields.ts';
import { type Endpoint, type Environment, endpoint, environments, type PublishableKey } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import { type Input, nullable, refused } from '../input/input.ts';
import { defaulted, object } from '../input/object.ts';
import { originsInput } from '../input/origin.ts';
import { choice, flag, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { characters, noControlCharacters, notBlank, storable } from '../input/text-limits.ts';

/** A key as the console shows it. */
export interface KeyView {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string | null;
  readonly prefix: string;
  readonly last4: string;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly publishable: PublishableKey | null;
}

/** A key to create. */
export interface NewKey {
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string | null;
  readonly expiresAtMs: number | null;
  readonly publishable: PublishableKey | null;
}

/** An account's keys, as a console user manages them. */
export interface ConsoleKeys {
  /** Oldest first. */
  list(accountId: string): Promise<readonly KeyView[]>;
  create(key: NewKey, by: Actor): Promise<{ record: KeyView; key: string }>;
  /** Null when the account has no such key in use. */
  rename(id: string, accountId: string, name: string, by: Actor): Promise<KeyView | null>;
  /** False when the account has no such key in use. */
  revoke(id: string, accountId: string, by: Actor): Promise<boolean>;
}

const keyStates = ['in_use', 'expired', 'revoked'] as const;

/** A key with its state at the time of the request. */
interface ShownKey extends KeyView {
  readonly state: (typeof keyStates)[number];
}

const publishableBody = wireOf<PublishableKey>({
  origins: field(schema.array(schema.string()), ({ origins }) => origins),
  disposable: field(schema.boolean(), ({ showsDisposable }) => showsDisposable),
});

const shownKey = wireOf<ShownKey>({
  ...same<ShownKey>({
    id: schema.string(),
    environment: schema.oneOf(environments),
    name: schema.nullable(schema.string()),
    prefix: schema.string(),
    last4: schema.string(),
    state: schema.oneOf(keyStates),
  }),
  created_at: time(({ createdAtMs }) => createdAtMs),
  last_used_at: timeOrNull(({ lastUsedAtMs }) => lastUsedAtMs),
  expires_at: timeOrNull(({ expiresAtMs }) => expiresAtMs),
  revoked_at: timeOrNull(({ revokedAtMs }) => revokedAtMs),
  publishable: nestedOrNull(publishableBody, ({ publishable }) => publishable, {
    description: 'Set when the key is for web pages',
  }),
});

const createdKey = wireOf<{ readonly data: ShownKey; readonly key: string }>({
  data: nested(shownKey, ({ data }) => data),
  key: field(schema.string(), ({ key }) => key),
});

/** More than any account needs, revoked keys included: a bound on one account's stored keys. */
const maxKeys = 1_000;

const publishableInput = object({ origins: originsInput, disposable: defaulted(flag('The disposable field'), false) });

const keyName = text('The name', [characters(1, 120), notBlank, storable, noControlCharacters]);

/** `GET`, `POST /keys`, `PATCH`, `DELETE /keys/{id}`. */
export function keysEndpoints(keys: ConsoleKeys, now: () => number): Endpoint[] {
  const show = (key: KeyView): ShownKey => ({ ...key, state: stateOf(key, now()) });
  return [...accountKeysEndpoints(keys, show, now), ...oneKeyEndpoints(keys, show)];
}

type ShowKey = (key: KeyView) => ShownKey;

function accountKeysEndpoints(keys: ConsoleKeys, show: ShowKey, now: () => number): Endpoint[] {
  const createBody = object({
    environment: choice('The environment', environments),
    name: defaulted(nullable(keyName), null),
    expires_at: defaulted(nullable(futureTime(now)), null),
    publishable: defaulted(nullable(publishableInput), null),
  });
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/keys',
      operationId: 'consoleKeys',
      summary: 'The keys of the account, in every environment',
      accountRole: 'member',
      response: dataOf(listOf(shownKey)),
      async handle(_sent, { session: { sessionUser } }) {
        return (await keys.list(sessionUser.accountId)).map(show);
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'POST',
      path: '/keys',
      operationId: 'consoleCreateKey',
      summary: 'Create a key; only this response contains it',
      accountRole: 'member',
      status: 201,
      body: createBody,
      response: createdKey,
      async handle({ body: { environment, name, expires_at: expiresAtMs, ...body } }, { session }) {
        const { by } = session;
        const { accountId } = session.sessionUser;
        await assertRoom(keys, accountId);
        const publishable = body.publishable && {
          origins: body.publishable.origins,
          showsDisposable: body.publishable.disposable,
        };
        const { record, key } = await keys.create({ accountId, environment, name, expiresAtMs, publishable }, by);
        return { data: show(record), key };
      },
    }),
  ];
}

function oneKeyEndpoints(keys: ConsoleKeys, show: ShowKey): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'PATCH',
      path: '/keys/{id}',
      operationId: 'consoleRenameKey',
      summary: 'Rename a key',
      accountRole: 'member',
      body: object({ name: keyName }),
      response: dataOf(shownKey),
      async handle({ params: { id }, body: { name } }, { session: { sessionUser, by } }) {
        const key = await keys.rename(id, sessionUser.accountId, name, by);
        if (key === null) throw new AppError('not_found');
        return show(key);
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'DELETE',
      path: '/keys/{id}',
      operationId: 'consoleRevokeKey',
      summary: 'Revoke a key',
      accountRole: 'member',
      status: 204,
      async handle({ params: { id } }, { session: { sessionUser, by } }) {
        if (!(await keys.revoke(id, sessionUser.accountId, by))) throw new AppError('not_found');
      },
    }),
  ];
}

async function assertRoom(keys: ConsoleKeys, accountId: string): Promise<void> {
  if ((await keys.list(accountId)).length < maxKeys) return;
  const errors = { environment: [`An account has at most ${maxKeys} keys, revoked ones included.`] };
  throw new AppError('validation_failed', { errors });
}

/** A future time, in ISO 8601 with an offset; read as milliseconds. */
function futureTime(now: () => number): Input<number> {
  return {
    schema: schema.string({ format: 'date-time' }),
    read(value, path, problems) {
      const isTime =
        typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value);
      const ms = isTime ? Date.parse(value) : Number.NaN;
      if (ms > now()) return ms;
      problems.add(path, 'The expires_at field must be a time in the future, such as 2027-01-31T00:00:00Z.');
      return refused;
    },
  };
}

function stateOf({ revokedAtMs, expiresAtMs }: KeyView, nowMs: number): (typeof keyStates)[number] {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'in_use';
}
