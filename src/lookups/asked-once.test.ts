import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { caseDomain, createZoneDns } from '../../test/mail/mail-zone.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createLeases } from '../db/leases/leases-store.ts';
import { known, type Reading, unknown, valueOrNull } from '../reading.ts';
import { type AskedOnce, createAskedOnce } from './asked-once.ts';
import { createFactWriter } from './fact-writer.ts';
import { createFactsStore } from './facts-store.ts';
import { createMailFacts, type MailFactsOptions } from './mail-facts.ts';
import { createRegistrationFacts, type RegistrationAnswer } from './registration-facts.ts';

const leaseMs = 2_000;
const domain = caseDomain('cold.example');
const records = [{ hostname: 'mx.cold.example', priority: 10 }];
const answers = { mx: known(records), spf: known('strict'), dmarc: known('none'), dnsbl: known(false) } as const;
type Kind = keyof typeof answers;
const kinds = Object.keys(answers) as Kind[];

await describeEngines('a domain that no instance knows', (fresh) => {
  let db: Db;
  let asked: string[];
  let sharers: AskedOnce[];
  let say: (kind: Kind, instance: string) => Reading<unknown> | Promise<Reading<unknown>>;
  beforeEach(async () => {
    db = await openDatabase(await fresh());
    asked = [];
    sharers = [];
    say = (kind) => answers[kind];
  });
  afterEach(async () => {
    await Promise.all(sharers.map((one) => one.settled()));
    await db.close();
  });

  const sharing = (name: string, hasOthers = true) => {
    const store = createFactsStore(db);
    const writer = createFactWriter(store);
    const onError = (error: unknown) => assert.fail(String(error));
    const askedOnce = createAskedOnce({
      leases: createLeases(db, 'fact_leases', name),
      leaseMs,
      longestPauseMs: 80,
      hasOthers: () => hasOthers,
      flush: writer.flush,
      now: Date.now,
      onError,
    });
    sharers.push(askedOnce);
    const clocks = { now: Date.now, monotonicMs: () => performance.now() };
    return { store, writer, askedOnce, onStoreError: onError, ...clocks };
  };

  const registrationsOf = (name: string, answer: RegistrationAnswer) => {
    const ask = async () => {
      asked.push(`${name} registration`);
      return answer;
    };
    return createRegistrationFacts({ ...sharing(name), ask });
  };

  const instance = (name: string, { hasOthers = true, deadlineMs = 30_000, zones = ['dbl.test'] } = {}) => {
    const parts = sharing(name, hasOthers);
    const ask = (kind: Kind) => async () => {
      asked.push(`${name} ${kind}`);
      return say(kind, name);
    };
    const facts = createMailFacts({
      ...parts,
      dns: createZoneDns({ zone: {} }),
      readers: Object.fromEntries(kinds.map((kind) => [kind, ask(kind)])) as unknown as MailFactsOptions['readers'],
      providers: { bySuffix: new Map(), owners: new Map() },
      disposableMx: new Map(),
      learntHosts: () => 0,
      deadlineMs,
      dnsblZones: zones,
    });
    return {
      async values() {
        const { mx, spf, dmarc, dnsbl } = await facts.mailFactsOf(domain, { mx: true });
        return [mx, spf, dmarc, dnsbl].map((reading) => valueOrNull<unknown>(reading));
      },
      async dnsbl() {
        const { dnsbl } = await facts.mailFactsOf(domain, { mx: true });
        assert.ok(dnsbl.known);
        return dnsbl;
      },
      settled: parts.askedOnce.settled,
    };
  };
  const all = [records, 'strict', 'none', false];
  const timesAsked = (kind: Kind) => asked.filter((one) => one.endsWith(` ${kind}`)).length;

  it('a domain that no instance knows is asked for by one of them, and all have the answer', async () => {
    const three = ['one', 'two', 'three'].map((name) => instance(name));
    assert.deepEqual(await Promise.all(three.map((each) => each.values())), [all, all, all]);
    await Promise.all(three.map((each) => each.settled()));
    assert.deepEqual(kinds.map(timesAsked), [1, 1, 1, 1]);
    assert.deepEqual(await db.read.selectFrom('fact_leases').selectAll().execute(), []);
  });

  it('a domain that a DNS blocklist lists is listed for all instances that ask the same zones, by the same evidence', async () => {
    const evidence = [{ source: 'b.test', detail: 'listed' }];
    say = (kind) => (kind === 'dnsbl' ? known(true, () => evidence) : answers[kind]);
    const zones = ['a.test', 'b.test'];
    const [one, two, other] = [instance('one', { zones }), instance('two', { zones }), instance('other')];
    assert.equal((await one.values()).at(-1), true);
    await one.settled();
    assert.equal((await two.values()).at(-1), true);
    assert.deepEqual((await two.dnsbl()).why?.(), evidence);
    assert.equal(timesAsked('dnsbl'), 1);
    assert.equal((await other.values()).at(-1), true);
    assert.deepEqual(asked.slice(4), ['other dnsbl']);
  });

  it('a domain that no blocklist is asked about is waited for no longer', async () => {
    say = (kind) => (kind === 'dnsbl' ? unknown('not_applicable') : answers[kind]);
    const [one, two] = [instance('one', { zones: [] }), instance('two', { zones: [] })];
    await Promise.all([one.values(), two.values()]);
    assert.deepEqual(
      ['mx', 'spf', 'dmarc'].map((kind) => timesAsked(kind as Kind)),
      [1, 1, 1],
    );
  });

  it('a registration date that no instance knows is asked for by one of them, and all have it', async () => {
    const registeredAtMs = Date.UTC(2001, 0, 1);
    const three = ['one', 'two', 'three'].map((name) =>
      registrationsOf(name, { kind: 'found', registeredAtMs, source: 'rdap' }),
    );
    await Promise.all(three.map((each) => each.settled(domain)));
    assert.deepEqual(
      three.map((each) => valueOrNull(each.registrationOf(domain))),
      Array(3).fill(registeredAtMs),
    );
    assert.equal(asked.length, 1);
  });

  it('a registration date that the first could not find out is asked for by the next', async () => {
    const one = registrationsOf('one', { kind: 'failed', reason: 'timeout' });
    await one.settled(domain);
    const two = registrationsOf('two', { kind: 'none' });
    await two.settled(domain);
    assert.deepEqual(asked, ['one registration', 'two registration']);
    assert.deepEqual(two.registrationOf(domain), unknown('no_data'));
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
    assert.deepEqual(await instance('two', { deadlineMs: 30 }).values(), [null, null, null, null]);
    assert.deepEqual(asked, []);
  });

  it('a domain that an instance without others asks for costs no lease', async () => {
    const alone = instance('alone', { hasOthers: false });
    assert.equal(await createLeases(db, 'fact_leases', 'another').take(domain.ascii, leaseMs), true);
    assert.deepEqual(await alone.values(), all);
  });
});
