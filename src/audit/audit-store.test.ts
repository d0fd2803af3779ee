import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { tester } from '../../test/tester.ts';
import type { Actor } from '../actor.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { pruneAudit } from './audit.ts';
import { type AuditStore, createAuditStore } from './audit-store.ts';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 10, 15);
const key: Actor = { kind: 'key', id: 'k1', from: '192.0.2.1' };

await describeEngines('the audit trail', (fresh) => {
  let db: Db;
  let store: AuditStore;
  before(async () => {
    db = await openDatabase(await fresh());
    store = createAuditStore(db);
  });
  after(() => db.close());

  const record = (by: Actor, action: string, accountId: string, atMs: number, subject = 's') =>
    store.record(by, { action, subject, accountId, detail: { atMs } }, atMs);
  const times = async (accountId: string) => (await store.list({ accountId }, 100)).map(({ atMs }) => atMs);

  it('the audit trail lists actor, action, time and origin, newest first', async () => {
    await record(tester, 'key.created', 'a', nowMs);
    await store.record(
      key,
      { action: 'gate.changed', subject: 'g', accountId: 'a', environment: 'staging' },
      nowMs + 1,
    );
    const [newest, older] = await store.list({ accountId: 'a' }, 10);
    assert.deepEqual(
      [newest?.by, newest?.action, newest?.subject, newest?.environment, newest?.atMs, newest?.detail],
      [key, 'gate.changed', 'g', 'staging', nowMs + 1, {}],
    );
    assert.deepEqual(
      [older?.by, older?.action, older?.environment, older?.detail],
      [tester, 'key.created', null, { atMs: nowMs }],
    );
  });

  it('the audit trail can be filtered by action, subject, actor and time', async () => {
    await record(tester, 'keys.other', 'b', nowMs);
    await record(tester, 'key.created', 'b', nowMs + 1, 'k1');
    await record(tester, 'key.revoked', 'b', nowMs + 2, 'k1');
    await record(key, 'gate.changed', 'b', nowMs + 3);
    const found = async (filter: object) =>
      (await store.list({ accountId: 'b', ...filter }, 10)).map(({ action }) => action);
    assert.deepEqual(await found({ action: 'key' }), ['key.revoked', 'key.created']);
    assert.deepEqual(await found({ action: 'key.created' }), ['key.created']);
    assert.deepEqual(await found({ actor: 'k1' }), ['gate.changed']);
    assert.deepEqual(await found({ subject: 'k1' }), ['key.revoked', 'key.created']);
    assert.deepEqual(await found({ fromMs: nowMs + 1, toMs: nowMs + 3 }), ['key.revoked', 'key.created']);
  });

  it('the audit trail keeps entries for 400 days and no longer', async () => {
    await record(tester, 'key.created', 'c', nowMs - 401 * dayMs);
    await record(tester, 'key.created', 'c', nowMs - 399 * dayMs);
    await pruneAudit(store, nowMs);
    assert.deepEqual(await times('c'), [nowMs - 399 * dayMs]);
  });

  it("the audit trail keeps the operator's entries even if a customer's keys add many", async () => {
    await record(tester, 'key.created', 'd', nowMs);
    for (let index = 1; index <= 7; index += 1) await record(key, 'gate.changed', 'd', nowMs + index);
    await pruneAudit(store, nowMs, 3);
    assert.deepEqual(await times('d'), [nowMs + 7, nowMs + 6, nowMs + 5, nowMs]);
  });

  it("the audit trail keeps users' newest entries even if keys and users add many", async () => {
    const user = { kind: 'user', id: 'u1', from: null } as const;
    for (let index = 1; index <= 5; index += 1) await record(user, 'gate.changed', 'e', nowMs + index);
    for (let index = 6; index <= 9; index += 1) await record(key, 'gate.changed', 'e', nowMs + index);
    await pruneAudit(store, nowMs, 3);
    const kept = [9, 8, 7, 5, 4, 3].map((index) => nowMs + index);
    assert.deepEqual(await times('e'), kept);
  });
});
