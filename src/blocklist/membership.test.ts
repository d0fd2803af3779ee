import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { AttachableOwner } from '../../test/attachable-owner.ts';
import { until } from '../../test/eventually.ts';
import { AppError } from '../errors.ts';
import type { Owner } from '../http/endpoint.ts';
import { createMembership, type Membership, type MembershipOptions } from './membership.ts';
import type { MembershipStore } from './membership-store.ts';

const owner = new AttachableOwner('a');
const scope = 'a/production';

/** Runs the event loop `count` times. */
async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await turn();
}

interface ListChange {
  readonly seq: number;
  readonly domain: string;
  readonly listed: boolean;
}

/** A list with its full history. Tests can delay its results to play every order of events. */
class Storage implements MembershipStore {
  history: ListChange[] = [];
  prunedThrough = 0;
  isUnavailable = false;
  reads = { head: 0, entries: 0, changes: 0, contains: 0 };
  pause: (() => Promise<void>) | null = null;

  change(domain: string, listed: boolean): number {
    const seq = this.history.length + 1;
    this.history.push({ seq, domain, listed });
    return seq;
  }
  present(): Map<string, number> {
    const entries = new Map<string, number>();
    for (const { seq, domain, listed } of this.history) {
      if (listed) entries.set(domain, seq);
      else entries.delete(domain);
    }
    return entries;
  }
  async answer<T>(kind: keyof Storage['reads'], value: () => T): Promise<T> {
    this.reads[kind] += 1;
    if (this.isUnavailable) throw new AppError('service_unavailable');
    // The read happens now; the result may arrive later.
    const read = value();
    await this.pause?.();
    return read;
  }
  head() {
    return this.answer('head', () => {
      const seq = this.history.length;
      return seq === 0 ? null : { generation: 1, seq, total: this.present().size };
    });
  }
  entriesAfter(_owner: Owner, _head: unknown, after: number, limit: number) {
    return this.answer('entries', () =>
      [...this.present()]
        .map(([key, seq]) => ({ key, seq, untilMs: Number.POSITIVE_INFINITY }))
        .filter(({ seq }) => seq > after)
        .sort((one, other) => one.seq - other.seq)
        .slice(0, limit),
    );
  }
  changesAfter(_owner: Owner, after: number, limit: number) {
    return this.answer('changes', () => {
      if (this.history.length <= after) return [];
      if (this.prunedThrough > after) return null;
      const present = this.present();
      const changes = this.history.filter(
        ({ seq, domain, listed }) => seq > after && (!listed || present.get(domain) === seq),
      );
      return changes.slice(0, limit).map(({ seq, domain, listed }) => ({
        seq,
        key: domain,
        untilMs: listed ? Number.POSITIVE_INFINITY : 0,
      }));
    });
  }
  contains(_owner: Owner, domain: string) {
    return this.answer('contains', () => this.present().has(domain));
  }
}

describe('membership', () => {
  let storage: Storage;
  let membership: Membership;
  let nowMs: number;
  let lastLookMs: number;
  let errors: unknown[];
  const start = (options: Partial<MembershipOptions> = {}) => {
    membership = createMembership({
      store: storage,
      monotonicMs: () => nowMs,
      lastLookMs: () => lastLookMs,
      onError: (error) => errors.push(error),
      ...options,
    });
  };
  beforeEach(() => {
    storage = new Storage();
    nowMs = 1_000_000;
    lastLookMs = nowMs;
    errors = [];
    start();
  });
  const has = (domain: string) => membership.has(owner, domain);
  /** Waits until membership answers from memory. */
  const load = (asking: Owner = owner) =>
    until(async () => {
      const said = membership.has(asking, 'x');
      await said;
      return !(said instanceof Promise);
    });

  test('blocklist membership queries the database until the list is loaded, then answers from memory without a promise', async () => {
    storage.change('a.example', true);
    const early = has('a.example');
    assert.ok(early instanceof Promise);
    assert.equal(await early, true);
    await load();
    const { contains } = storage.reads;
    assert.equal(has('a.example'), true);
    assert.equal(has('b.example'), false);
    assert.equal(storage.reads.contains, contains);
  });

  test('blocklist membership sends the database one query about an account without a list', async () => {
    assert.equal(await has('a.example'), false);
    await load();
    assert.deepEqual(storage.reads, { head: 1, entries: 0, changes: 0, contains: 0 });
  });

  test('blocklist membership finds a domain listed just now, although an earlier query for the missing list is still in progress', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    storage.pause = () => released;
    const early = has('a.example');
    storage.pause = null;
    membership.changedHere(owner, { seq: storage.change('a.example', true), domains: ['a.example'], listed: true });
    assert.equal(await has('a.example'), true);
    release();
    assert.equal(await early, false);
    await load();
    assert.equal(has('a.example'), true);
  });

  test('blocklist membership applies a change of this process immediately, without reloading the list', async () => {
    await load();
    const reads = { ...storage.reads };
    membership.changedHere(owner, { seq: storage.change('a.example', true), domains: ['a.example'], listed: true });
    assert.equal(has('a.example'), true);
    membership.changedHere(owner, { seq: storage.change('a.example', false), domains: ['a.example'], listed: false });
    assert.equal(has('a.example'), false);
    assert.deepEqual(storage.reads, reads);
  });

  test('blocklist membership reads no entries when the notification of its own change arrives', async () => {
    await load();
    membership.changedHere(owner, { seq: storage.change('a.example', true), domains: ['a.example'], listed: true });
    const { changes, entries } = storage.reads;
    membership.changed(scope);
    await load();
    assert.equal(has('a.example'), true);
    assert.deepEqual([storage.reads.changes, storage.reads.entries], [changes, entries]);
  });

  test('blocklist membership reads only the changes when another process changed the list', async () => {
    for (let index = 0; index < 5_000; index += 1) storage.change(`d${index}.example`, true);
    await load();
    const { entries } = storage.reads;
    storage.change('d1.example', false);
    storage.change('new.example', true);
    membership.changed(scope);
    assert.equal(await has('d1.example'), false);
    await load();
    assert.deepEqual([has('d1.example'), has('new.example'), has('d2.example')], [false, true, true]);
    assert.equal(storage.reads.entries, entries);
  });

  test('blocklist membership reloads the list when removals were pruned before it read them', async () => {
    storage.change('a.example', true);
    await load();
    const { entries } = storage.reads;
    storage.change('a.example', false);
    storage.prunedThrough = 2;
    membership.changed(scope);
    await load();
    assert.equal(has('a.example'), false);
    assert.equal(storage.reads.entries, entries + 1);
  });

  test('blocklist membership ignores changes in a database result that it has already applied', async () => {
    await load();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const added = storage.change('a.example', true);
    storage.pause = () => released;
    membership.changed(scope);
    storage.pause = null;
    membership.changedHere(owner, { seq: added, domains: ['a.example'], listed: true });
    membership.changedHere(owner, { seq: storage.change('a.example', false), domains: ['a.example'], listed: false });
    release();
    await load();
    assert.equal(has('a.example'), false);
  });

  test('blocklist membership never lets an older database result undo a newer change, in any order of events', async () => {
    const domains = ['a.example', 'b.example', 'c.example'];
    const step = fc.record({
      kind: fc.constantFrom('here', 'elsewhere', 'announced', 'gap', 'wait' as const),
      domain: fc.constantFrom(...domains),
      pause: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        storage = new Storage();
        start();
        const expectRight = async (pending: boolean) => {
          for (const domain of domains) {
            const expected = storage.present().has(domain);
            const said = has(domain);
            // An unannounced change of another process is unknown; every other change must be visible.
            if (!pending) assert.equal(await said, expected, domain);
            else await said;
          }
        };
        let unannounced = false;
        for (const { kind, domain, pause } of steps) {
          storage.pause = pause === 0 ? null : () => turns(pause);
          const listed = !storage.present().has(domain);
          if (kind === 'here') {
            const seq = storage.change(domain, listed);
            // The commit may resolve after later reads.
            if (pause === 2) await turn();
            membership.changedHere(owner, { seq, domains: [domain], listed });
          } else if (kind === 'elsewhere') {
            storage.change(domain, listed);
            unannounced = true;
          } else if (kind === 'wait') await turns(pause);
          else {
            if (kind === 'announced') membership.changed(scope);
            else membership.changedAll();
            unannounced = false;
          }
          storage.pause = null;
          await expectRight(unannounced);
        }
        membership.changed(scope);
        await load();
        for (const domain of domains) assert.equal(has(domain), storage.present().has(domain));
      }),
      { numRuns: 60 },
    );
  });

  test('blocklist membership rejects while storage is unavailable and the list was never loaded, and recovers by itself', async () => {
    storage.change('a.example', true);
    storage.isUnavailable = true;
    await assert.rejects(async () => has('a.example'), { code: 'service_unavailable' });
    await until(() => errors.length > 0);
    storage.isUnavailable = false;
    assert.equal(await has('a.example'), true);
    await load();
    assert.equal(has('a.example'), true);
  });

  test('blocklist membership answers from memory for a minute while storage is unavailable', async () => {
    storage.change('a.example', true);
    await load();
    storage.isUnavailable = true;
    nowMs += 60_000;
    assert.equal(has('a.example'), true);
    assert.equal(has('b.example'), false);
    nowMs += 1;
    await assert.rejects(async () => has('b.example'), { code: 'service_unavailable' });
    storage.isUnavailable = false;
    assert.equal(await has('b.example'), false);
    lastLookMs = nowMs;
    assert.equal(has('a.example'), true);
  });

  test('blocklist membership rejects instead of answering from a list that is known to have changed', async () => {
    await load();
    storage.change('a.example', true);
    storage.isUnavailable = true;
    membership.changed(scope);
    await assert.rejects(async () => has('a.example'), { code: 'service_unavailable' });
  });

  test('blocklist membership keeps the lists of accounts and environments apart', async () => {
    await load();
    membership.changedHere(owner, { seq: storage.change('a.example', true), domains: ['a.example'], listed: true });
    const other = new Storage();
    start({ store: other });
    const [staging, stranger] = [new AttachableOwner('a', 'staging'), new AttachableOwner('b')];
    await load(staging);
    await load(stranger);
    membership.changedHere(owner, { seq: 1, domains: ['a.example'], listed: true });
    assert.equal(membership.has(staging, 'a.example'), false);
    assert.equal(membership.has(stranger, 'a.example'), false);
  });

  test('blocklist membership evicts the least recently used lists when there are too many entries', async () => {
    for (let index = 0; index < 100; index += 1) storage.change(`d${index}.example`, true);
    start({ maxEntries: 500 });
    const [a, b, c, d] = [
      new AttachableOwner('a'),
      new AttachableOwner('b'),
      new AttachableOwner('c'),
      new AttachableOwner('d'),
    ];
    for (const each of [a, b, c]) {
      await load(each);
      assert.equal(membership.has(each, 'd1.example'), true);
    }
    // Three lists of 100 with their overhead fit into 500; a fourth evicts the first.
    await load(d);
    assert.equal(membership.has(b, 'd1.example'), true);
    const forgotten = membership.has(a, 'd1.example');
    assert.ok(forgotten instanceof Promise);
    assert.equal(await forgotten, true);
  });

  test('blocklist membership keeps a list that was used since its last turn', async () => {
    for (let index = 0; index < 100; index += 1) storage.change(`d${index}.example`, true);
    start({ maxEntries: 500 });
    const [a, b, c, d] = [
      new AttachableOwner('a'),
      new AttachableOwner('b'),
      new AttachableOwner('c'),
      new AttachableOwner('d'),
    ];
    for (const each of [a, b, c, d]) await load(each);
    assert.equal(membership.has(b, 'd1.example'), true);
    await load(new AttachableOwner('e'));
    assert.equal(membership.has(b, 'd1.example'), true);
    assert.ok(membership.has(c, 'd1.example') instanceof Promise);
  });

  test('blocklist membership evicts no other list for one that was evicted while it was loading', async () => {
    for (let index = 0; index < 100; index += 1) storage.change(`d${index}.example`, true);
    start({ maxEntries: 300 });
    const held = Promise.withResolvers<void>();
    storage.pause = () => {
      storage.pause = null;
      return held.promise;
    };
    const slow = membership.has(owner, 'd1.example');
    const [b, c] = [new AttachableOwner('b'), new AttachableOwner('c')];
    for (const each of [b, c]) await load(each);
    held.resolve();
    assert.equal(await slow, true);
    await until(() => storage.reads.entries === 3);
    await turns(5);
    assert.equal(membership.has(c, 'd1.example'), true);
  });

  test('blocklist membership queries the database for a list that is too long to keep', async () => {
    for (let index = 0; index < 600; index += 1) storage.change(`d${index}.example`, true);
    start({ maxEntries: 500 });
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await has('d1.example'), true);
      assert.equal(await has('other.example'), false);
      await until(() => storage.reads.head > 0);
    }
    assert.equal(storage.reads.entries, 0);
    assert.equal(storage.reads.head, 1);
  });
});
