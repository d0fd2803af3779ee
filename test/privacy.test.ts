import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../scripts/test-files.ts';
import { openDatabase } from '../src/db/db.ts';
import { sqliteDatabase } from './engines.ts';

/** Tables without data of people: counts, states of processes, and published lists. */
const aboutNobody = new Set(
  `migrations changes instances credit_leases work_leases settings usage wave_settings shared_files shared_file_parts list_users
  flag_comparisons learnt_mail_hosts blocklists blocklist_counts custom_lists gates removed_gates removed_webhooks decision_buckets
  environment_counts rule_days lookup_counts hook_calls`.split(/\s+/),
);

it('docs/privacy.md names every table that stores data about people', async () => {
  const db = await openDatabase(sqliteDatabase());
  const tables = (await db.read.introspection.getTables()).map(({ name }) => name);
  await db.close();
  const text = readFileSync(join(root, 'docs', 'privacy.md'), 'utf8');
  assert.ok(tables.length > 50);
  assert.deepEqual(
    tables.filter((name) => !aboutNobody.has(name) && !text.includes(`\`${name}\``)),
    [],
  );
  assert.deepEqual(
    [...aboutNobody].filter((name) => !tables.includes(name)),
    [],
  );
});
