import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { writeFileAtomic } from '../src/files/atomic-file.ts';
import type { Environment } from '../src/http/endpoint.ts';
import type { OperatorList } from '../src/lists/operator/operator-list.ts';
import { Flag } from '../src/lists/snapshot/flags.ts';
import { buildTable, entryName } from '../src/lists/snapshot/list-table.ts';
import { decodeSnapshot, encodeSnapshot } from '../src/lists/snapshot/snapshot-file.ts';
import { propagationMs } from '../src/seen/flagging/lists-comparison.ts';
import { sealDays } from '../src/seen/seen-retention.ts';
import { createSeenStore } from '../src/seen/seen-store.ts';
import { describeService } from './engines.ts';
import { eventually, until } from './eventually.ts';
import { type StartedApp, startApp, type TestAccount } from './start-app.ts';
import { tester } from './tester.ts';

const nowMs = Date.UTC(2026, 10, 15, 14);
/** Domains that are seen first; flagging one shows that all earlier changes are compared. */
const maxCanaries = 20;
const events = ['domain.flagged.disposable', 'domain.flagged.relay', 'domain.flagged.spam'];

await describeService('a domain that lists flag after it was seen', (fresh) => {
  let started: StartedApp;
  let webhook: Record<Environment, string>;
  let canaries = 0;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs, maxJobPauseMs: 50 });
    webhook = await webhooksOf(started.first);
    for (let index = 1; index <= maxCanaries; index += 1) await see(`canary-${index}.example`);
    await seenIsWritten(`canary-${maxCanaries}.example`);
  });
  after(() => started.close());

  const webhooksOf = async ({ keys }: TestAccount): Promise<Record<Environment, string>> => {
    const ids: Partial<Record<Environment, string>> = {};
    for (const environment of ['production', 'staging', 'development'] as const) {
      const body = { url: 'https://receiver.example/hook', events };
      const request = { key: keys[environment], body };
      const { json } = await started.request<{ data: { id: string } }>('POST', '/v1/webhooks', request);
      ids[environment] = json.data.id;
    }
    return ids as Record<Environment, string>;
  };
  const see = async (domain: string, environment: Environment = 'production'): Promise<void> => {
    const { status } = await started.request('GET', `/domain/${domain}`, { key: started.keys[environment] });
    assert.equal(status, 200);
  };
  const seenIsWritten = async (domain: string): Promise<void> => {
    const name = domain.split('.').reverse().join('.');
    await eventually(async () => {
      const rows = await started.db.read.selectFrom('seen_domains').select('name').where('name', '=', name).execute();
      assert.equal(rows.length > 0, true, `${domain} is not written`);
    }, 30_000);
  };
  const change = (what: 'add' | 'remove', list: OperatorList, ...domains: string[]) =>
    started.app.knowledge.ownEntries.change(what, list, domains, tester);
  const notifications = async (id: string): Promise<string[]> => {
    const query = started.db.read.selectFrom('webhook_deliveries').select(['event_type', 'data']);
    const rows = await query.where('webhook_id', '=', id).execute();
    return rows.map((row) => `${row.event_type.split('.').at(-1)} ${JSON.parse(row.data).domain}`).sort();
  };
  /** The environment's notifications once all earlier changes are compared. */
  const notificationsMatching = async (pattern: RegExp, environment: Environment = 'production'): Promise<string[]> => {
    canaries += 1;
    assert.ok(canaries <= maxCanaries);
    const canary = `canary-${canaries}.example`;
    await change('add', 'spam', canary);
    await compared(`spam ${canary}`);
    return (await notifications(webhook[environment])).filter((line) => pattern.test(line));
  };
  const compared = (line: string) =>
    eventually(async () => {
      started.clock.advance(propagationMs);
      assert.ok((await notifications(webhook.production)).includes(line), `no ${line}`);
    }, 60_000);

  it('notifies each environment that saw the domain once, and no other environment', async () => {
    await see('turned.example');
    await see('turned.example', 'staging');
    await seenIsWritten('turned.example');
    await change('add', 'disposable', 'turned.example');
    assert.deepEqual(await notificationsMatching(/turned/), ['disposable turned.example']);
    assert.deepEqual(await notifications(webhook.staging), ['disposable turned.example']);
    assert.deepEqual(await notifications(webhook.development), []);
  });

  it('notifies once, with the listed name, when names below it were seen', async () => {
    for (const name of ['mail.above.example', 'x.y.above.example']) await see(name);
    await seenIsWritten('x.y.above.example');
    await change('add', 'spam', 'above.example');
    await change('add', 'relay', 'y.above.example');
    assert.deepEqual(await notificationsMatching(/above/), ['relay y.above.example', 'spam above.example']);
  });

  it('does not notify for an entry above a public suffix, nor for a name that the operator allows', async () => {
    const tenants = ['tenant.s3.amazonaws.com', 'allowed.trusted.example', 'other.trusted.example'];
    for (const name of tenants) await see(name);
    await seenIsWritten('other.trusted.example');
    await change('add', 'allow', 'allowed.trusted.example');
    await change('add', 'disposable', 'trusted.example', 'amazonaws.com');
    assert.deepEqual(await notificationsMatching(/trusted|amazonaws/), ['disposable trusted.example']);
    await change('remove', 'disposable', 'trusted.example');
    await see('only.allowed.trusted.example', 'staging');
    await seenIsWritten('only.allowed.trusted.example');
    await change('add', 'disposable', 'trusted.example');
    assert.deepEqual(await notificationsMatching(/trusted/, 'staging'), []);
    // A name that is no longer allowed is flagged by the entry above it.
    await change('remove', 'allow', 'allowed.trusted.example');
    assert.deepEqual(await notificationsMatching(/trusted/, 'staging'), ['disposable trusted.example']);
  });

  it('notifies when a new snapshot lists the domain', async () => {
    await see('mail.refreshed.example');
    await seenIsWritten('mail.refreshed.example');
    const path = join(started.config.dataDir, 'lists', 'snapshot.bin');
    const { header, table } = decodeSnapshot(readFileSync(path));
    const entries = Array.from(table.flags, (flags, entry) => ({
      name: entryName(table, entry),
      flags,
      sources: table.sources[entry] ?? 0,
      provider: table.providers[entry] ?? 0,
    }));
    const added = { name: 'refreshed.example', flags: Flag.strong, sources: 1, provider: 0 };
    writeFileAtomic(path, encodeSnapshot(header, buildTable([...entries, added])));
    await until(() => started.app.knowledge.lists.isListed('disposable', 'refreshed.example'));
    assert.deepEqual(await notificationsMatching(/refreshed/), ['disposable refreshed.example']);
  });

  it('does not notify again when the entry is removed and added again', async () => {
    await see('again.example');
    await seenIsWritten('again.example');
    for (const what of ['add', 'remove', 'add'] as const) {
      await change(what, 'disposable', 'again.example');
      assert.deepEqual(await notificationsMatching(/again/), ['disposable again.example']);
    }
  });

  it('does not notify environments that already saw the domain as flagged', async () => {
    await change('add', 'disposable', 'already.example');
    await see('already.example');
    await seenIsWritten('already.example');
    await change('remove', 'disposable', 'already.example');
    await change('add', 'disposable', 'already.example');
    assert.deepEqual(await notificationsMatching(/already/), []);
  });

  it('notifies environments that saw the domain on a sealed day, and not after the day is pruned', async () => {
    await see('sealed.example');
    await see('forgotten.example');
    await seenIsWritten('forgotten.example');

    await sealDays(createSeenStore(started.db), Math.floor(nowMs / 86_400_000) + 1, new AbortController().signal);
    await change('add', 'disposable', 'sealed.example');
    assert.deepEqual(await notificationsMatching(/sealed/), ['disposable sealed.example']);
    started.clock.advance(31 * 86_400_000);
    const next = `canary-${canaries + 1}.example`;
    await see(next);
    await seenIsWritten(next);
    await change('add', 'disposable', 'forgotten.example');
    assert.deepEqual(await notificationsMatching(/forgotten/), []);
  });
});
