import type { Db } from '../db/db.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { WebhooksTable } from '../db/tables/webhook-tables.ts';
import type { Secrets } from './webhook.ts';

/** How a secret begins that a development version stored in clear text. */
const clearPrefix = 'whsec_';

/** The secrets of a stored webhook. */
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

/** Encrypts secrets that are stored in clear text; returns how many webhooks have one that this service cannot decrypt. */
export async function protectSecrets(db: Db): Promise<number> {
  const rows = await db.read.selectFrom('webhooks').select(['id', 'secret', 'old_secret']).execute();
  let unreadable = 0;
  for (const { id, secret, old_secret: old } of rows) {
    if (secret.startsWith(clearPrefix)) {
      const sealed = { secret: db.secrets.seal(secret), old_secret: old === null ? null : db.secrets.seal(old) };
      await db.write.updateTable('webhooks').set(sealed).where('id', '=', id).where('secret', '=', secret).execute();
    } else if (db.secrets.open(secret) === null) unreadable += 1;
  }
  return unreadable;
}
