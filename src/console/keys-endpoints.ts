import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type Environment, environments } from '../http/endpoint.ts';
import { type SessionEndpoint, sessionEndpoint } from '../http/session-api/session-endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { type Input, nullable, refused } from '../input/input.ts';
import { defaulted, object } from '../input/object.ts';
import { choice, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { characters, notBlank, storable } from '../input/text-limits.ts';

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
}

/** A key to make. */
export interface WantedKey {
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string | null;
  readonly expiresAtMs: number | null;
}

/** The keys of an account, as somebody in the console manages them. */
export interface ConsoleKeys {
  /** Oldest first. */
  list(accountId: string): Promise<readonly KeyView[]>;
  create(wanted: WantedKey, by: Actor): Promise<{ record: KeyView; key: string }>;
  /** Null when the account has no such key in use. */
  rename(id: string, accountId: string, name: string, by: Actor): Promise<KeyView | null>;
  /** False when the account has no such key in use. */
  revoke(id: string, accountId: string, by: Actor): Promise<boolean>;
}

/** More than any account needs, revoked ones included: nobody may fill the disk with keys. */
const mostKeys = 1_000;

const keyName = text('The name', [characters(1, 120), notBlank, storable]);

/** `GET`, `POST /keys`, `PATCH`, `DELETE /keys/{id}`. */
export function keysEndpoints(keys: ConsoleKeys, now: () => number): SessionEndpoint[] {
  const createBody = object({
    environment: choice('The environment', environments),
    name: defaulted(nullable(keyName), null),
    expires_at: defaulted(nullable(futureTime(now)), null),
  });
  return [
    sessionEndpoint({
      method: 'GET',
      path: '/keys',
      operationId: 'consoleKeys',
      access: 'member',
      async handle(_sent, { sessionUser }) {
        return { data: (await keys.list(sessionUser.accountId)).map((key) => keyBody(key, now())) };
      },
    }),
    sessionEndpoint({
      method: 'POST',
      path: '/keys',
      operationId: 'consoleCreateKey',
      access: 'member',
      status: 201,
      body: createBody,
      async handle({ body: { environment, name, expires_at: expiresAtMs } }, { sessionUser: { accountId }, by }) {
        if ((await keys.list(accountId)).length >= mostKeys) {
          const errors = { environment: [`An account has at most ${mostKeys} keys, revoked ones included.`] };
          throw new AppError('validation_failed', { errors });
        }
        const { record, key } = await keys.create({ accountId, environment, name, expiresAtMs }, by);
        return { data: keyBody(record, now()), key };
      },
    }),
    sessionEndpoint({
      method: 'PATCH',
      path: '/keys/{id}',
      operationId: 'consoleRenameKey',
      access: 'member',
      body: object({ name: keyName }),
      async handle({ params: { id }, body: { name } }, { sessionUser, by }) {
        const key = await keys.rename(id, sessionUser.accountId, name, by);
        if (key === null) throw new AppError('not_found');
        return { data: keyBody(key, now()) };
      },
    }),
    sessionEndpoint({
      method: 'DELETE',
      path: '/keys/{id}',
      operationId: 'consoleRevokeKey',
      access: 'member',
      status: 204,
      async handle({ params: { id } }, { sessionUser, by }) {
        if (!(await keys.revoke(id, sessionUser.accountId, by))) throw new AppError('not_found');
      },
    }),
  ];
}

/** A moment yet to come, in ISO 8601 with an offset; in milliseconds once it is read. */
function futureTime(now: () => number): Input<number> {
  return {
    schema: schema.string({ format: 'date-time' }),
    read(value, path, problems) {
      const isTime =
        typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value);
      const ms = isTime ? Date.parse(value) : Number.NaN;
      if (ms > now()) return ms;
      problems.add(path, 'The expires_at field must be a moment yet to come, such as 2027-01-31T00:00:00Z.');
      return refused;
    },
  };
}

function keyBody(key: KeyView, nowMs: number): object {
  const time = (ms: number | null): string | null => (ms === null ? null : wireTime(ms));
  return {
    id: key.id,
    environment: key.environment,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    state: stateOf(key, nowMs),
    created_at: wireTime(key.createdAtMs),
    last_used_at: time(key.lastUsedAtMs),
    expires_at: time(key.expiresAtMs),
    revoked_at: time(key.revokedAtMs),
  };
}

function stateOf({ revokedAtMs, expiresAtMs }: KeyView, nowMs: number): 'in_use' | 'expired' | 'revoked' {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'in_use';
}
