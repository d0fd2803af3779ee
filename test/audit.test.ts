import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createAuditStore } from '../src/audit/audit-store.ts';
import { describeService } from './engines.ts';
import type { WireGate, WireRule } from './gate-client.ts';
import { type StartedApp, startApp } from './start-app.ts';

await describeService('the audit trail of a service', (fresh) => {
  let started: StartedApp;
  let key: string;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    key = started.keys.staging ?? '';
  });
  after(() => started.close());

  const send = async <T>(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> => {
    started.clock.advance(1);
    const { status, json } = await started.request<{ data: T }>(method, path, {
      key,
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(status < 300, `${method} ${path}: ${status}`);
    return json?.data as T;
  };
  const acts = async (action: string) =>
    (await createAuditStore(started.db).list({ accountId: started.first.id, action }, 100)).toReversed();

  it('the audit trail records the key, the IP address and the difference for every change of a gate and its rules [D270]', async () => {
    const gate = await send<WireGate>('POST', '/v1/gates', { name: 'sign-up', preset: 'none' });
    const path = `/v1/gates/${gate.id}`;
    await send('PATCH', path, { name: 'sign-in', default_action: 'block' });
    await send('PATCH', path, { name: 'sign-in' });
    const conditions = [{ field: 'domain.mx', operator: 'equals', value: false }];
    const one = await send<WireRule>('POST', `${path}/rules`, { name: 'one', action: 'block', conditions });
    const two = await send<WireRule>('POST', `${path}/rules`, { name: 'two', action: 'block', conditions });
    await send('PATCH', `${path}/rules/${one.id}`, { enabled: false });
    await send('PUT', `${path}/rules/order`, { rule_ids: [two.id, one.id] });
    await send('DELETE', `${path}/rules/${two.id}`);
    await send('DELETE', path);
    const entries = await acts('gate');
    for (const { by, subject, environment } of entries) {
      assert.deepEqual([by.kind, by.from, subject, environment], ['key', '127.0.0.1', gate.id, 'staging']);
    }
    const [stagingKey] = (await started.operator.keys.list(started.first.id)).filter(
      (kept) => kept.environment === 'staging',
    );
    assert.equal(entries[0]?.by.id, stagingKey?.id);
    const ruleNamed = (id: string, name: string) => ({ id, name });
    assert.deepEqual(
      entries.map(({ action, detail }) => [action, detail]),
      [
        ['gate.created', { name: 'sign-up' }],
        ['gate.changed', { fields: ['name', 'defaultAction'] }],
        ['gate.changed', { rules_added: [ruleNamed(one.id, 'one')] }],
        ['gate.changed', { rules_added: [ruleNamed(two.id, 'two')] }],
        ['gate.changed', { rules_changed: [{ id: one.id, name: 'one', fields: ['enabled'] }] }],
        ['gate.changed', { rules_ordered: [two.id, one.id] }],
        ['gate.changed', { rules_removed: [ruleNamed(two.id, 'two')] }],
        ['gate.removed', { name: 'sign-in' }],
      ],
    );
  });

  it('the audit trail records domains added to a blocklist and removed from it, and nothing for a failed request [D270]', async () => {
    await send('POST', '/blocklist', { domain: 'a.example' });
    await started.request('POST', '/blocklist', { key, body: { domain: 'a.example' } });
    const many = Array.from({ length: 12 }, (_, index) => `b${index}.example`);
    started.clock.advance(1);
    await started.request('POST', '/blocklist/bulk', { key, body: { domains: many } });
    started.clock.advance(1);
    await started.request('DELETE', '/blocklist/a.example', { key });
    assert.deepEqual(
      (await acts('blocklist')).map(({ action, detail }) => [action, detail]),
      [
        ['blocklist.added', { count: 1, domains: ['a.example'] }],
        ['blocklist.added', { count: 12, domains: many.slice(0, 10) }],
        ['blocklist.removed', { count: 1, domains: ['a.example'] }],
      ],
    );
  });

  it('the audit trail starts with the objects that the first start created [D270]', async () => {
    const entries = await createAuditStore(started.db).list({ actor: 'first start' }, 10);
    assert.deepEqual(
      entries.map(({ action, by }) => `${by.kind} ${action}`).sort(),
      ['service account.created', ...Array(3).fill('service key.created')].sort(),
    );
  });
});
