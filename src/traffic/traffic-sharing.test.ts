import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { parseIp } from '../address/ip.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { AppError } from '../errors.ts';
import type { Owner } from '../http/endpoint.ts';
import { trafficSignals } from '../signals/traffic-signals.ts';
import { createSubjectHashes } from './subject-hashes.ts';
import { createTraffic, type TrafficValues, type Visit } from './traffic.ts';
import { createTrafficCounts } from './traffic-counts.ts';
import { eraseTraffic } from './traffic-erasure.ts';
import { createTrafficSharing } from './traffic-sharing.ts';
import { createTrafficStore, type TrafficStore } from './traffic-store.ts';

const startMs = Date.UTC(2026, 10, 17, 12);
const minuteMs = 60_000;

await describeEngines('shared traffic', (fresh) => {
  let db: Db;
  let store: TrafficStore;
  let nowMs = startMs;
  let accounts = 0;
  before(async () => {
    db = await openDatabase(await fresh());
    store = createTrafficStore(db);
  });
  after(() => db.close());

  const newOwner = (): Owner => {
    accounts += 1;
    return { accountId: `account ${accounts}`, environment: 'production' };
  };
  const hashes = createSubjectHashes('a secret of the installation');
  const startProcess = (self: string, into = store) => {
    const counts = createTrafficCounts(1_000_000);
    const now = () => nowMs;
    const dropped: number[] = [];
    const sharing = createTrafficSharing({
      store: into,
      counts,
      self,
      now,
      monotonicMs: now,
      onDropped: (observations) => dropped.push(observations),
    });
    return { sharing, dropped, ...createTraffic({ counts, hashes, now, openBlock: sharing.openBlock }) };
  };
  const visit = (owner: Owner, address: string, ip = '203.0.113.7'): Visit => {
    const domain = address.slice(address.indexOf('@') + 1);
    return {
      owner,
      address,
      spelling: address,
      domain,
      mailServer: 'mx.example',
      ip: parseIp(ip),
      traits: 0,
      shape: null,
    };
  };
  const value = (values: TrafficValues, name: string) =>
    values[trafficSignals.findIndex(({ gates }) => gates.name === name)];

  /** No device, and no wave. */
  const none = [null, null, false, null];

  it('is counted by other processes, in windows that slide [D402 D406]', async () => {
    const owner = newOwner();
    const [one, two] = [startProcess('one'), startProcess('two')];
    assert.equal(value(one.count(visit(owner, 'a@spam.example'), 0), 'domain.addresses_1h'), 1);
    assert.equal(value(one.count(visit(owner, 'b@spam.example', '203.0.113.9'), 0), 'network.addresses_1h'), 2);
    await one.sharing.buffer.flush();
    await two.sharing.poll();
    const third = two.count(visit(owner, 'c@other.example'), 3);
    assert.deepEqual([...third], [1, 1, 1, 1, 1, 3, 3, 3, 2, 2, 2, 3, 3, ...none]);
    nowMs += 66 * minuteMs;
    const later = two.peek(visit(owner, 'a@spam.example'), null);
    assert.deepEqual(later, [1, 2, 1, 1, 2, null, 1, 3, 2, 1, 2, 1, 3, ...none]);
    assert.deepEqual(two.peek(visit(owner, 'a@spam.example'), null), later);
    assert.equal(value(two.peek(visit(newOwner(), 'a@spam.example'), null), 'domain.addresses_24h'), 1);
  });

  it('survives a restart, and expires after a day', async () => {
    const owner = newOwner();
    const first = startProcess('first');
    for (const name of ['a', 'b', 'c']) first.count(visit(owner, `${name}@kept.example`), 0);
    await first.sharing.buffer.flush();
    const next = startProcess('next');
    await next.sharing.poll();
    await next.sharing.poll();
    assert.equal(value(next.peek(visit(owner, 'd@kept.example'), 0), 'domain.addresses_1h'), 4);
    nowMs += 25 * 60 * minuteMs;
    const last = startProcess('last');
    await last.sharing.poll();
    assert.equal(value(last.peek(visit(owner, 'd@kept.example'), 0), 'domain.addresses_24h'), 1);
    await store.prune(nowMs - 24 * 60 * minuteMs, nowMs);
    assert.deepEqual(await store.after(0, ''), []);
  });

  it('loses nothing while storage is unavailable [D417]', async () => {
    const owner = newOwner();
    let isUnavailable = true;
    const failing: TrafficStore = {
      ...store,
      async add(...block) {
        if (isUnavailable) throw new AppError('service_unavailable');
        return store.add(...block);
      },
    };
    const one = startProcess('one', failing);
    one.count(visit(owner, 'a@outage.example'), 0);
    await assert.rejects(one.sharing.buffer.flush());
    assert.equal(value(one.count(visit(owner, 'b@outage.example'), 0), 'domain.addresses_1h'), 2);
    isUnavailable = false;
    await one.sharing.buffer.flush();
    const two = startProcess('two');
    await two.sharing.poll();
    assert.equal(value(two.peek(visit(owner, 'c@outage.example'), 0), 'domain.addresses_1h'), 3);
    assert.deepEqual(one.dropped, []);
  });

  it('a device is erased with its own counts [D408]', async () => {
    const owner = newOwner();
    const running = startProcess('running');
    const withDevice = (email: string, device: string) => ({ ...visit(owner, email), device });
    for (const name of ['a', 'b']) running.count(withDevice(`${name}@device.example`, 'first'), 0);
    running.count(withDevice('a@device.example', 'second'), 0);
    await running.sharing.buffer.flush();
    await eraseTraffic(store, hashes, [owner], { kind: 'device', keysOf: () => ['first'] }, nowMs);
    const restarted = startProcess('restarted');
    await Promise.all([restarted.sharing.poll(), running.sharing.poll()]);
    for (const each of [running, restarted]) {
      const countOf = (device: string) =>
        value(each.peek(withDevice('c@device.example', device), null), 'device.addresses_24h');
      assert.deepEqual([countOf('first'), countOf('second')], [1, 2]);
    }
  });

  it('is erased in the database and in running processes [D408]', async () => {
    const owner = newOwner();
    const running = startProcess('running');
    for (const name of ['a', 'b']) running.count(visit(owner, `${name}@erased.example`), 0);
    running.count(visit(owner, 'c@other.example'), 0);
    await running.sharing.buffer.flush();
    const state = async () => {
      const restarted = startProcess('restarted');
      await Promise.all([restarted.sharing.poll(), running.sharing.poll()]);
      const [here, there] = [running, restarted].map((each) => ({
        a: each.peek(visit(owner, 'a@erased.example'), null),
        c: each.peek(visit(owner, 'c@other.example', '198.51.100.1'), null),
      }));
      assert.deepEqual(here, there);
      return here as { a: TrafficValues; c: TrafficValues };
    };
    // Not written before the erasure.
    running.count(visit(owner, 'a@erased.example'), 0);
    await eraseTraffic(store, hashes, [owner], { kind: 'email', text: 'A+tag@erased.example' }, nowMs);
    await running.sharing.poll();
    await running.sharing.buffer.flush();
    const withoutAddress = await state();
    assert.deepEqual(withoutAddress.a, [1, 1, 1, 2, 2, null, 3, 3, 2, 3, 3, 3, 3, ...none]);
    await eraseTraffic(store, hashes, [owner], { kind: 'domain', text: 'Erased.example' }, nowMs);
    const withoutDomain = await state();
    assert.equal(value(withoutDomain.a, 'domain.addresses_24h'), 1);
    assert.equal(value(withoutDomain.c, 'mail_server.domains_24h'), 1);
    // The addresses of the domain are erased with it.
    assert.equal(value(withoutDomain.c, 'mail_server.addresses_24h'), 1);
    assert.equal(value(running.peek(visit(owner, 'b@erased.example'), null), 'address.decisions_24h'), 1);
    await eraseTraffic(store, hashes, [owner], { kind: 'ip', text: '203.0.113.7' }, nowMs);
    const withoutIp = await state();
    assert.equal(value(withoutIp.a, 'ip.addresses_24h'), 1);
    assert.equal(value(withoutIp.a, 'network.addresses_24h'), 2);
  });

  const decisionsHereAndAfterRestart = async (running: ReturnType<typeof startProcess>, of: Visit) => {
    const restarted = startProcess('restarted');
    await Promise.all([restarted.sharing.poll(), running.sharing.poll()]);
    return [running, restarted].map((each) => value(each.peek(of, null), 'address.decisions_24h'));
  };

  it('is erased from a block that is being written [D408]', async () => {
    const of = visit(newOwner(), 'a@written.example');
    const { promise: mayWrite, resolve: letWrite } = Promise.withResolvers<void>();
    const running = startProcess('running', {
      ...store,
      async add(...block) {
        await mayWrite;
        return store.add(...block);
      },
    });
    running.count(of, 0);
    const written = running.sharing.buffer.flush();
    await eraseTraffic(store, hashes, [of.owner], { kind: 'email', text: of.address }, nowMs);
    await running.sharing.poll();
    letWrite();
    await written;
    assert.deepEqual(await decisionsHereAndAfterRestart(running, of), [1, 1]);
  });

  it('is erased from a block that was written after the others were read [D408]', async () => {
    const of = visit(newOwner(), 'a@late.example');
    const running = startProcess('running');
    running.count(of, 0);
    const late: TrafficStore = {
      ...store,
      async add(...block) {
        await running.sharing.buffer.flush();
        return store.add(...block);
      },
    };
    await eraseTraffic(late, hashes, [of.owner], { kind: 'email', text: of.address }, nowMs);
    assert.deepEqual(await decisionsHereAndAfterRestart(running, of), [1, 1]);
  });

  it('is erased from a block that is written before its process reads of the erasure [D408]', async () => {
    const of = visit(newOwner(), 'a@unread.example');
    const running = startProcess('running');
    const added = Promise.withResolvers<void>();
    const observed: TrafficStore = {
      ...store,
      async add(...block) {
        const no = await store.add(...block);
        added.resolve();
        return no;
      },
    };
    running.count(of, 0);
    const erased = eraseTraffic(observed, hashes, [of.owner], { kind: 'email', text: of.address }, nowMs);
    await added.promise;
    await running.sharing.buffer.flush();
    await erased;
    assert.deepEqual(await decisionsHereAndAfterRestart(running, of), [1, 1]);
  });
});
