import type { Transaction } from 'kysely';
import type { Actor } from '../actor.ts';
import { ulid } from '../ulid.ts';
import type { Schema } from './schema.ts';

/** An action and its subject, for the audit trail. */
export interface AuditedAct {
  /** `key.created`, `gate.changed`: the kind of subject and what happened to it. */
  readonly action: string;
  /** The subject's id. */
  readonly subject: string;
  readonly accountId: string | null;
  readonly environment?: string;
  /** Further details; never a secret or a person's address. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Records an act in the audit trail, inside the writer's transaction. */
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

/** The author of an act on an object of an environment. */
interface ActAuthor {
  readonly by: Actor;
  readonly accountId: string;
  readonly environment: string;
}

/** Records an author's act on an object of their environment. */
export function recordOwnAct(
  trx: Transaction<Schema>,
  { by, accountId, environment }: ActAuthor,
  act: Pick<AuditedAct, 'action' | 'subject' | 'detail'>,
  nowMs: number,
): Promise<void> {
  return recordAct(trx, by, { ...act, accountId, environment }, nowMs);
}
