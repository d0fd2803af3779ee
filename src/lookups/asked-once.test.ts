import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { caseDomain, createZoneDns } from '../../test/mail/mail-zone.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createLeases } from '../db/leases/leases-store.ts';
import { known, type Reading, unknown, valueOrNull } from '../reading.ts';
import { createAskedOnce, leaseMs } from './asked-once.ts';
import { createFactWriter } from './fact-writer.ts';
import { createFactsStore } from './facts-store.ts';
import { createMailFacts, type MailFactsOptions } from './mail-facts.ts';

const domain = caseDomain('cold.example');
const records = [{ hostname: 'mx.cold.example', priority: 10 }];
const answers = { mx: known(records), spf: known('strict'), dmarc: known('none'), dnsbl: known(false) } as const;
type Kind = keyof typeof answers;
const kinds = Object.keys(answers) as Kind[];

await describeEngines('a domain that no instance knows', (fresh) => {
  let db: Db;
  let asked: string[];
  let say: (kind: Kind, instance: string) => Reading<unknown> | Promise<Reading<unknown>>;
  beforeEach(async () => {
    db = await openDatabase(await fresh());
    asked = [];
    say = (kind) => answers[kind];
  });
  afterEach(() => db.close());

  const instance = (name: string, { hasOthers = true, deadlineMs = 30_000 } = {}) => {
    const store = createFactsStore(db);
    const writer = createFactWriter(store);
    const ask = (kind: Kind) => async () => {
      asked.push(`${name} ${kind}`);
      return say(kind, name);
    };
    const onError = (error: unknown) => assert.fail(String(error));
    const askedOnce = createAskedOnce({
      leases: createLeases(db, 'fact_leases', name),
      hasOthers: () => hasOthers,
      flush: writer.flush,
      now: Date.now,
      onError,
    });
    const facts = createMailFacts({
      dns: createZoneDns({ zone: {} }),
      readers: Object.fromEntries(kinds.map((kind) => [kind, ask(kind)])) as unknown as MailFactsOptions['readers'],
      providers: { bySuffix: new Map(), owners: new Map() },
      disposableMx: new Map(),
      learntHosts: () => 0,
      store,
      writer,
      now: Date.now,
      monotonicMs: () => performance.now(),
      deadlineMs,
      onStoreError: onError,
      askedOnce,
    });
    return {
      async values() {
        const { mx, spf, dmarc, dnsbl } = await facts.mailFactsOf(domain, { mx: true });
        return [mx, spf, dmarc, dnsbl].map((reading) => valueOrNull<unknown>(reading));
      },
      settled: askedOnce.settled,
    };
  };
  const all = [records, 'strict', 'none', false];
  const timesAsked = (kind: Kind) => asked.filter((one) => one.endsWith(` ${kind}`)).length;

  it('a domain that no instance knows is asked for by one of them, and all have the answer', async () => {
    const three = ['one', 'two', 'three'].map((name) => instance(name));
    assert.deepEqual(await Promise.all(three.map((each) => each.values())), [all, all, all]);
    await Promise.all(three.map((each) => each.settled()));
    assert.deepEqual(
      ['mx', 'spf', 'dmarc'].map((kind) => timesAsked(kind as Kind)),
      [1, 1, 1],
    );
    // Nobody keeps what blocklists say for others.
    assert.equal(timesAsked('dnsbl'), 3);
    assert.deepEqual(await db.read.selectFrom('fact_leases').selectAll().execute(), []);
  });

  it('a domain that the first could not find out about is asked for by the next', async () => {
    say = (kind, name) => (name === 'one' ? unknown('failed') : answers[kind]);
    const one = instance('one');
    assert.deepEqual(await one.values(), [null, null, null, null]);
    const two = instance('two');
    assert.deepEqual(await two.values(), all);
    await Promise.all([one.settled(), two.settled()]);
  });

  it('a domain whose asker died is asked for by another when its lease is over', async () => {
    assert.equal(await createLeases(db, 'fact_leases', 'dead').take(domain.ascii, leaseMs), true);
    const two = instance('two');
    assert.deepEqual(await two.values(), all);
    await two.settled();
  });

  it('a domain that another asks for is unknown when the time is up, and no request waits longer', async () => {
    assert.equal(await createLeases(db, 'fact_leases', 'slow').take(domain.ascii, leaseMs), true);
    assert.deepEqual(await instance('two', { deadlineMs: 30 }).values(), [null, null, null, false]);
    assert.deepEqual(asked, ['two dnsbl']);
  });

  it('a domain that an instance without others asks for costs no lease', async () => {
    const alone = instance('alone', { hasOthers: false });
    assert.equal(await createLeases(db, 'fact_leases', 'another').take(domain.ascii, leaseMs), true);
    assert.deepEqual(await alone.values(), all);
  });
});
