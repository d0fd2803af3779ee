import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { openDatabase } from '../src/db/db.ts';
import { noteBackup } from '../src/db/last-backup.ts';
import { storageMetrics } from '../src/db/storage-metrics.ts';
import { version } from '../src/version.ts';
import { describeService, sqliteDatabase } from './engines.ts';
import { type StartedApp, startApp } from './start-app.ts';

const deploy = new URL('../deploy/', import.meta.url);
const runbook = readFileSync(new URL('../docs/runbook.md', import.meta.url), 'utf8');

/** The text of a scrape, and the type of each metric in it. */
async function scrape(service: StartedApp): Promise<{ text: string; types: ReadonlyMap<string, string> }> {
  const { text } = await service.request('GET', '/metrics');
  const types = text.matchAll(/^# TYPE (\S+) (\S+)$/gm).map(([, name = '', type = '']) => [name, type] as const);
  return { text, types: new Map(types) };
}

describe('the metrics of a service', () => {
  let service: StartedApp;
  let text: string;
  let types: ReadonlyMap<string, string>;
  before(async () => {
    service = await startApp();
    await service.request('GET', '/status');
    await service.request('GET', '/status', { key: 'sp_wrong' });
    await service.request('GET', '/domain/example.com', { key: service.keys.production });
    ({ text, types } = await scrape(service));
  });
  after(() => service.close());

  it('counters with a fixed set of labels are 0 before their first event', () => {
    const series = [
      'refusals_total{reason="quota_exceeded"}',
      'lookups_total{mx="known"}',
      'outcomes_total{outcome="bad"}',
      'hook_calls_total{format="supabase",result="rejected"}',
      'webhook_deliveries_total{outcome="given_up"}',
      'damaged_blocks_total{table="decision_segments"}',
    ];
    for (const each of series) assert.ok(text.includes(`signalpost_${each} 0\n`), each);
  });

  for (const file of readdirSync(deploy).filter((name) => /\.(yaml|json)$/.test(name))) {
    it(`the metrics of a service include every name that deploy/${file} uses`, () => {
      const asked = readFileSync(new URL(file, deploy), 'utf8').match(/\bsignalpost_\w+/g) ?? [];
      const missing = [...new Set(asked)].filter(
        (name) => !types.has(name) && types.get(name.replace(/_(bucket|sum|count)$/, '')) !== 'histogram',
      );
      assert.ok(asked.length > 10);
      assert.deepEqual(missing, []);
    });
  }

  it('the metrics of a service are counters where their name ends in _total, and nowhere else', () => {
    // The metrics library names some of its own gauges so.
    const own = [...types].filter(([name]) => !name.startsWith('signalpost_nodejs_'));
    for (const [name, type] of own) assert.equal(type === 'counter', name.endsWith('_total'), name);
  });

  for (const line of [
    /^signalpost_refusals_total\{reason="key_required"\} 1$/m,
    /^signalpost_refusals_total\{reason="unauthorized"\} 1$/m,
    /^signalpost_storage_up 1$/m,
    /^signalpost_storage_ping_seconds [\d.e-]+$/m,
    /^signalpost_storage_transaction_seconds_count [1-9]/m,
    /^signalpost_database_bytes [1-9]/m,
    /^signalpost_database_log_bytes \d/m,
    /^signalpost_last_backup_timestamp_seconds 0$/m,
    /^signalpost_unwritten_entries\{what="credits"\} \d/m,
    /^signalpost_unwritten_entries\{what="facts"\} \d/m,
    /^signalpost_unwritten_entries\{what="decisions"\} 0$/m,
    /^signalpost_webhook_queue_late_seconds 0$/m,
    /^signalpost_cache_entries\{cache="keys"\} 1$/m,
    /^signalpost_cache_entries\{cache="mail_facts"\} 1$/m,
    /^signalpost_list_source_age_seconds\{source="[^"]+"\} \d/m,
    /^signalpost_registry_breakers_open 0$/m,
    new RegExp(`^signalpost_build_info\\{version="${version.replaceAll('.', '\\.')}"\\} 1$`, 'm'),
  ]) {
    it(`the metrics of a service have a line like ${line.source}`, () => assert.match(text, line));
  }
});

it('every alert has a section in the runbook, and every section an alert', () => {
  const rules = readFileSync(new URL('prometheus-alerts.yaml', deploy), 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  assert.ok(alerts.length > 10);
  assert.deepEqual(
    alerts,
    [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name),
  );
  for (const name of alerts) assert.ok(rules.includes(`runbook: 'docs/runbook.md#${name?.toLowerCase()}'`), name);
});

await describeService('metrics of storage', (fresh) => {
  it('the metrics report unavailable storage, and omit values that depend on it', async () => {
    const db = await openDatabase(await fresh());
    const registry = new Registry();
    for (const metric of storageMetrics(db)) registry.registerMetric(metric);
    assert.match(await registry.metrics(), /^signalpost_storage_up 1$[\s\S]*^signalpost_database_bytes [1-9]/m);
    await db.close();
    const lines = (await registry.metrics()).split('\n').filter((line) => /^[^#]/.test(line));
    assert.deepEqual(lines, ['signalpost_storage_up 0']);
  });
});

it('the metrics of an embedded database include the time of the last backup', async () => {
  const db = await openDatabase(sqliteDatabase());
  const registry = new Registry();
  for (const metric of storageMetrics(db)) registry.registerMetric(metric);
  await noteBackup(db, 1_000_000);
  await noteBackup(db, 1_234_000);
  assert.match(await registry.metrics(), /^signalpost_last_backup_timestamp_seconds 1234$/m);
  await db.close();
});
