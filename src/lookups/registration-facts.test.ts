import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sqliteDatabase } from '../../test/engines.ts';
import { caseDomain } from '../../test/mail/mail-zone.ts';
import { type TestClock, testClock } from '../../test/start-app.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { valueOrNull } from '../reading.ts';
import { createFactWriter } from './fact-writer.ts';
import { createFactsStore, type FactsStore } from './facts-store.ts';
import { createRegistrationFacts, type RegistrationAnswer } from './registration-facts.ts';

const second = 1_000;
const day = 86_400_000;
const domain = caseDomain('www.example.com');
const registeredAtMs = Date.UTC(2001, 0, 1);
const found: RegistrationAnswer = { kind: 'found', registeredAtMs, source: 'rdap' };
const failed: RegistrationAnswer = { kind: 'failed', reason: 'timeout' };

describe('the registration date of a domain', () => {
  let clock: TestClock;
  let db: Db;
  let store: FactsStore;
  /** The registry's answers, and its queries. */
  let say: () => Promise<RegistrationAnswer>;
  let asked: string[];
  let storeErrors: unknown[];
  beforeEach(async () => {
    clock = testClock(Date.UTC(2026, 10, 15));
    db = await openDatabase(sqliteDatabase());
    store = createFactsStore(db);
    say = async () => found;
    asked = [];
    storeErrors = [];
  });
  afterEach(() => db.close());

  const open = (given: { store?: FactsStore; writer?: ReturnType<typeof createFactWriter> } = {}) => {
    const facts = createRegistrationFacts({
      ask(registrable) {
        asked.push(registrable);
        return say();
      },
      store,
      writer: createFactWriter({ store, prove: async () => true }),
      now: clock.now,
      monotonicMs: clock.monotonicMs,
      onStoreError: (error) => storeErrors.push(error),
      ...given,
    });
    /** The date once no query is in flight. */
    const finalDate = async () => {
      facts.registrationOf(domain);
      await facts.whenKnown(domain);
      return valueOrNull(facts.registrationOf(domain));
    };
    return { ...facts, finalDate };
  };
  const learntBefore = (agoMs: number, value: number | null) =>
    store.save([
      { domain: 'example.com', kind: 'registration', value, source: 'whois', learntAtMs: clock.now() - agoMs },
    ]);

  it('the registration date of a domain is pending at first without delaying lookups, is requested once for concurrent lookups, and belongs to the registrable domain', async () => {
    const facts = open();
    for (let count = 0; count < 10; count += 1) {
      assert.deepEqual(facts.registrationOf(domain), { known: false, reason: 'pending' });
    }
    assert.equal(await facts.finalDate(), registeredAtMs);
    assert.deepEqual(asked, ['example.com']);
  });

  it('the registration date of a domain is not asked for a tenant of a private suffix, nor for a suffix itself', async () => {
    const facts = open();
    for (const name of ['jane.github.io', 'co.uk']) {
      assert.deepEqual(facts.registrationOf(caseDomain(name)), { known: false, reason: 'not_applicable' });
      await facts.whenKnown(caseDomain(name));
    }
    assert.deepEqual(asked, []);
  });

  it('the registration date of a domain that the registry does not publish is asked again after a day', async () => {
    say = async () => ({ kind: 'none' });
    const facts = open();
    assert.equal(await facts.finalDate(), null);
    assert.deepEqual(facts.registrationOf(domain), { known: false, reason: 'no_data' });
    clock.advance(day - 1);
    assert.equal(await facts.finalDate(), null);
    assert.equal(asked.length, 1);
    clock.advance(1);
    say = async () => found;
    assert.equal(await facts.finalDate(), registeredAtMs);
  });

  for (const [what, failure] of [
    ['fails', async () => failed],
    ['throws', () => Promise.reject(new Error('bug'))],
  ] as const) {
    it(`the registration date of a domain is asked again 30 seconds after a registry that ${what}, not before`, async () => {
      say = failure;
      const facts = open();
      assert.equal(await facts.finalDate(), null);
      clock.advance(30 * second - 1);
      assert.equal(await facts.finalDate(), null);
      assert.equal(asked.length, 1);
      clock.advance(1);
      say = async () => found;
      assert.equal(await facts.finalDate(), registeredAtMs);
    });

    it(`the registration date of a domain stays when a later question ${what}: it is still true`, async () => {
      const facts = open();
      assert.equal(await facts.finalDate(), registeredAtMs);
      say = failure;
      clock.advance(30 * day);
      facts.registrationOf(domain);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(asked.length, 2);
      assert.equal(await facts.finalDate(), registeredAtMs);
    });
  }

  it('the registration date of a domain that is known delays no lookup while it is requested again [S62]', async () => {
    const facts = open();
    await facts.finalDate();
    say = () => new Promise(() => {});
    clock.advance(30 * day);
    assert.equal(await facts.finalDate(), registeredAtMs);
  });

  it('the registration date of a domain that another process learnt is taken for 30 days, that there is none for one, without a question', async () => {
    for (const [agoMs, value] of [
      [30 * day - 1, registeredAtMs],
      [day - 1, null],
    ] as const) {
      await learntBefore(agoMs, value);
      assert.equal(await open().finalDate(), value);
    }
    assert.deepEqual(asked, []);
  });

  it('the registration date of a domain that is older, or from the future of a clock set back, is asked again', async () => {
    for (const agoMs of [30 * day, -1]) {
      await learntBefore(agoMs, 0);
      assert.equal(await open().finalDate(), registeredAtMs);
    }
    assert.equal(asked.length, 2);
  });

  it('the registration date of a domain comes from the registry while the storage is unavailable, which is reported', async () => {
    const away = { ...store, load: () => Promise.reject(new Error('away')) };
    assert.equal(await open({ store: away }).finalDate(), registeredAtMs);
    assert.equal(storeErrors.length, 1);
  });

  it('the registration date of a domain is written with its source; a failure is not', async () => {
    const writer = createFactWriter({ store, prove: async () => true });
    await open({ writer }).finalDate();
    await writer.buffer.flush();
    const learntAtMs = clock.now();
    const fact = { domain: 'example.com', kind: 'registration', value: registeredAtMs, source: 'rdap', learntAtMs };
    assert.deepEqual(await store.load('example.com'), [fact]);
    say = async () => failed;
    clock.advance(31 * day);
    await open({ writer }).finalDate();
    await writer.buffer.flush();
    assert.deepEqual(await store.load('example.com'), [fact]);
  });
});
