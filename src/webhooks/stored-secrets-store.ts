import type { Db } from '../db/db.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { WebhooksTable } from '../db/tables/webhook-tables.ts';
import type { Secrets } from './webhook.ts';

export function openSecrets(
  row: Pick<WebhooksTable, 'secret' | 'old_secret' | 'old_secret_until'>,
  box: SecretBox,
): Secrets {
  const { old_secret: old, old_secret_until: untilMs } = row;
  return {
    current: box.open(row.secret),
    old: old === null || untilMs === null ? null : { secret: box.open(old), untilMs },
  };
}

/** How many webhooks have a secret that this service cannot decrypt. */
export async function countUnreadableSecrets(db: Db): Promise<number> {
  const rows = await db.read.selectFrom('webhooks').select('secret').execute();
  return rows.filter(({ secret }) => db.secrets.open(secret) === null).length;
}
