import type { Transaction } from 'kysely';
import type { Actor } from '../actor.ts';
import { ulid } from '../ulid.ts';
import type { Schema } from './schema.ts';

/** What was done to what. */
export interface AuditedAct {
  /** `key.created`, `gate.changed`: the thing and what became of it. */
  readonly action: string;
  /** The id of the thing. */
  readonly subject: string;
  readonly accountId: string | null;
  readonly environment?: string;
  /** What else is worth knowing; never a secret, never somebody's address. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Notes, inside the writer's transaction, who did what: what is not committed was not done and is not noted. */
export async function recordAct(trx: Transaction<Schema>, by: Actor, act: AuditedAct, nowMs: number): Promise<void> {
  await trx
    .insertInto('audit')
    .values({
      id: ulid(nowMs),
      at: nowMs,
      actor_kind: by.kind,
      actor_id: by.id,
      actor_from: by.from,
      account_id: act.accountId,
      environment: act.environment ?? null,
      action: act.action,
      subject: act.subject,
      detail: JSON.stringify(act.detail ?? {}),
    })
    .execute();
}
