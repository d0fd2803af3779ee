import { type DatabaseOptions, type Db, openDatabase } from '../src/db/db.ts';
import type { Owner } from '../src/http/endpoint.ts';
import { ulid } from '../src/ulid.ts';

/** A database with one account in it. */
export interface WebhookDatabase extends AsyncDisposable {
  readonly db: Db;
  /** Its production environment. */
  readonly owner: Owner;
  /** Adds a webhook for spam domains; returns its id. */
  addWebhook(changes?: { environment?: string; enabled?: number; events?: string }): Promise<string>;
}

/** Opens a database for tests of stores. */
export async function webhookDatabase(at: DatabaseOptions): Promise<WebhookDatabase> {
  const db = await openDatabase(at);
  const owner = { accountId: ulid(1), environment: 'production' } as const;
  await db.write
    .insertInto('accounts')
    .values({ id: owner.accountId, name: 'Jane', email: 'jane@example.com', plan: 'free', overage: 0, created_at: 1 })
    .execute();
  return {
    db,
    owner,
    async addWebhook(changes = {}) {
      const id = ulid(1).toLowerCase();
      const filter = { events: '["domain.flagged.spam"]', gate_ids: '[]', actions: '[]' };
      const times = { created_at: 1, updated_at: 1 };
      const rest = {
        url: 'https://receiver.example/',
        format: 'standard',
        enabled: 1,
        secret: db.secrets.seal('whsec_'),
        ...times,
      };
      await db.write
        .insertInto('webhooks')
        .values({ id, account_id: owner.accountId, environment: 'production', ...filter, ...rest, ...changes })
        .execute();
      return id;
    },
    [Symbol.asyncDispose]: () => db.close(),
  };
}
