import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sqliteDatabase } from '../../test/engines.ts';
import { eventually } from '../../test/eventually.ts';
import { caseDomain, createZoneDns } from '../../test/mail/mail-zone.ts';
import { type TestClock, testClock } from '../../test/start-app.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { readMx } from '../mail/mx.ts';
import type { Deadline } from '../platform/deadline.ts';
import { known, type Reading, unknown, valueOrNull } from '../reading.ts';
import type { MailFacts } from '../signals/sources.ts';
import { createFactWriter } from './fact-writer.ts';
import { createFactsStore, type FactKind, type FactsStore } from './facts-store.ts';
import { createMailFacts, type MailFactsOptions } from './mail-facts.ts';

const minute = 60_000;
const hour = 60 * minute;
const domain = caseDomain('example.com');
const all = { mx: true };
const google = { slug: 'google', type: 'mailbox', grade: 'professional' };
const records = [{ hostname: 'mx.google.test', priority: 10 }];
const kinds = ['mx', 'spf', 'dmarc', 'dnsbl'] as const;
type Kind = (typeof kinds)[number];
const answers = {
  mx: known(records),
  spf: known('strict' as const),
  dmarc: known('reject' as const),
  dnsbl: unknown('not_applicable'),
} as const;
const silence = new Promise<never>(() => {});

describe('the mail facts of a domain', () => {
  let clock: TestClock;
  let db: Db;
  let store: FactsStore;
  /** The DNS's answers, and its queries. */
  let say: (kind: Kind) => Reading<unknown> | Promise<Reading<unknown>>;
  let asked: Kind[];
  let storeErrors: unknown[];
  beforeEach(async () => {
    clock = testClock(Date.UTC(2026, 10, 15));
    db = await openDatabase(sqliteDatabase());
    store = createFactsStore(db);
    say = (kind) => answers[kind];
    asked = [];
    storeErrors = [];
  });
  afterEach(() => db.close());

  const open = (options: Partial<MailFactsOptions> = {}) => {
    const ask = (kind: Kind) => () => {
      asked.push(kind);
      return say(kind);
    };
    const readers = Object.fromEntries(
      kinds.map((kind) => [kind, ask(kind)]),
    ) as unknown as MailFactsOptions['readers'];
    return createMailFacts({
      dns: createZoneDns({ zone: {} }),
      readers,
      providers: { bySuffix: new Map([['google.test', google]]), owners: new Map() },
      disposableMx: new Map(),
      learntHosts: () => 0,
      store,
      writer: createFactWriter({ store, prove: async () => true }),
      now: clock.now,
      monotonicMs: clock.monotonicMs,
      deadlineMs: 40,
      onStoreError: (error) => storeErrors.push(error),
      ...options,
    });
  };
  const values = ({ mx, spf, dmarc }: MailFacts) => [mx, spf, dmarc].map((reading) => valueOrNull<unknown>(reading));
  const learnt = [records, 'strict', 'reject'];
  const nothing = [null, null, null];
  const learntBefore = (agoMs: number) =>
    store.save(
      (['mx', 'spf', 'dmarc'] as const).map((kind: FactKind, index) => ({
        domain: domain.ascii,
        kind,
        value: learnt[index],
        source: 'dns',
        learntAtMs: clock.now() - agoMs,
      })),
    );

  it('the mail facts of a domain are all requested in parallel [D80]', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // No query is answered before all are sent: sequential queries would end at the deadline.
    say = async (kind) => {
      if (asked.length === kinds.length) resolve();
      await promise;
      return answers[kind];
    };
    const facts = await open({ deadlineMs: 10_000 }).mailFactsOf(domain, all);
    assert.deepEqual(values(facts), learnt);
    assert.deepEqual(facts.mxProviders, [google]);
    assert.deepEqual(asked, kinds);
  });

  it('the mail facts of a domain are returned without a promise for a minute, then asked for again', async () => {
    const facts = open();
    await facts.mailFactsOf(domain, all);
    clock.advance(minute - 1);
    assert.ok(!(facts.mailFactsOf(domain, all) instanceof Promise));
    assert.equal(asked.length, 4);
    clock.advance(1);
    await facts.mailFactsOf(domain, all);
    assert.equal(asked.length, 8);
  });

  it('the mail facts of a domain ask no MX question when the request excludes it, and show the known providers', async () => {
    const facts = open();
    assert.deepEqual((await facts.mailFactsOf(domain, { mx: false })).mxProviders, []);
    assert.deepEqual(asked, ['spf', 'dmarc', 'dnsbl']);
    await facts.mailFactsOf(domain, all);
    clock.advance(hour);
    asked = [];
    assert.deepEqual((await facts.mailFactsOf(domain, { mx: false })).mxProviders, [google]);
    assert.deepEqual(asked, ['spf', 'dmarc', 'dnsbl']);
  });

  it('the mail facts of a domain are null when the deadline passes, and known to a later lookup once they have arrived [D81]', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    say = async (kind) => {
      await promise;
      return answers[kind];
    };
    const facts = open();
    assert.deepEqual(values(await facts.mailFactsOf(domain, all)), nothing);
    resolve();
    await eventually(async () => assert.deepEqual(values(await facts.mailFactsOf(domain, all)), learnt));
    assert.equal(asked.length, 4);
  });

  for (const [deadlineMs, minMs] of [
    [50, 10_000],
    [60_000, 120_000],
  ] as const) {
    it(`the mail facts of a domain continue to be requested for at least ${minMs} ms with a deadline of ${deadlineMs} ms`, async () => {
      let untilMs = 0;
      const readers = {
        ...{ spf: () => answers.spf, dmarc: () => answers.dmarc, dnsbl: () => answers.dnsbl },
        mx: (_domain: unknown, _dns: unknown, deadline: { atMs: number }) => {
          untilMs = deadline.atMs;
          return answers.mx;
        },
      };
      await open({ deadlineMs, readers }).mailFactsOf(domain, all);
      assert.ok(untilMs - clock.now() >= minMs);
    });
  }

  it('the mail facts of a domain that rest on an uncacheable answer are requested each time, not used after a failure, and used from the store only offline', async () => {
    const none = { kind: 'none', missing: 'type', fleeting: true } as const;
    let answer: typeof none | { kind: 'failed'; reason: 'servfail' } = none;
    let questions = 0;
    const mx = () => {
      questions++;
      return answer;
    };
    const writer = createFactWriter({ store, prove: async () => true });
    const readers = {
      ...{ spf: () => answers.spf, dmarc: () => answers.dmarc, dnsbl: () => answers.dnsbl },
      mx: readMx,
    };
    const facts = open({ dns: { ...createZoneDns({ zone: {} }), mx }, readers, writer });
    for (const count of [1, 2]) {
      assert.deepEqual((await facts.mailFactsOf(domain, all)).mx.known, true);
      assert.equal(questions, count);
    }
    await writer.buffer.flush();
    answer = { kind: 'failed', reason: 'servfail' };
    const dns = { ...createZoneDns({ zone: {} }), mx };
    for (const process of [facts, open({ dns, readers })])
      assert.deepEqual((await process.mailFactsOf(domain, all)).mx, { known: false, reason: 'failed' });
    const away = () => unknown('offline');
    const offline = { mx: away, spf: away, dmarc: away, dnsbl: away };
    const restarted = await open({ readers: offline, isOffline: true }).mailFactsOf(domain, all);
    assert.deepEqual(values(restarted), [[], 'strict', 'reject']);
  });

  it('the mail facts of a domain that need longer than the deadline of the request are still learnt, for a later lookup', async () => {
    // A DNS that answers a minute and a half from now, to callers that still wait then.
    const slow = (kind: Kind) => async (_domain: unknown, _dns: unknown, deadline: Deadline) =>
      deadline.atMs >= clock.now() + 1.5 * minute ? answers[kind] : unknown('timeout');
    const readers = Object.fromEntries(
      kinds.map((kind) => [kind, slow(kind)]),
    ) as unknown as MailFactsOptions['readers'];
    assert.deepEqual(values(await open({ readers, deadlineMs: minute }).mailFactsOf(domain, all)), learnt);
  });

  describe('when a server turns out to lie', () => {
    const denials = { mx: known([]), spf: known('missing' as const), dmarc: known('reject' as const) };
    const doubt = (all: boolean) => ({ sinceMs: clock.now(), untilMs: clock.now(), all });

    it('mail facts, when a server turns out to lie, are forgotten where they rest on a denial, and kept where they do not', async () => {
      const facts = open();
      await facts.mailFactsOf(domain, all);
      clock.advance(1);
      const denied = caseDomain('denied.com');
      say = (kind) => (kind === 'dnsbl' ? answers.dnsbl : denials[kind]);
      await facts.mailFactsOf(denied, all);
      facts.retract(doubt(false));
      say = () => unknown('untrusted');
      assert.deepEqual(values(await facts.mailFactsOf(domain, all)), learnt);
      assert.deepEqual(values(await facts.mailFactsOf(denied, all)), nothing);
    });

    it('mail facts, when a server turns out to lie, are all forgotten when it invents', async () => {
      const facts = open();
      await facts.mailFactsOf(domain, all);
      facts.retract(doubt(true));
      say = () => unknown('untrusted');
      assert.deepEqual(values(await facts.mailFactsOf(domain, all)), nothing);
    });

    it('mail facts, when a server turns out to lie, do not come back from the storage, nor with an answer that was in flight', async () => {
      await store.save([
        { domain: domain.ascii, kind: 'mx', value: [], source: 'dns', learntAtMs: clock.now() },
        { domain: domain.ascii, kind: 'spf', value: 'strict', source: 'dns', learntAtMs: clock.now() },
      ]);
      const { promise, resolve } = Promise.withResolvers<void>();
      say = async () => {
        await promise;
        return known('missing');
      };
      const facts = open();
      facts.retract(doubt(false));
      assert.deepEqual(values(await facts.mailFactsOf(domain, all)), [null, 'strict', null]);
      clock.advance(1);
      resolve();
      await eventually(async () => {
        const { dmarc } = await facts.mailFactsOf(domain, { mx: false });
        assert.deepEqual(dmarc, { known: false, reason: 'untrusted' });
      });
    });

    it('mail facts, when a server turns out to lie, are requested again immediately when no server could be trusted', async () => {
      say = () => unknown('untrusted');
      const facts = open();
      assert.deepEqual(values(await facts.mailFactsOf(domain, all)), nothing);
      facts.retract({ sinceMs: 0, untilMs: 0, all: false });
      say = (kind) => answers[kind];
      assert.deepEqual(values(await facts.mailFactsOf(domain, all)), learnt);
    });
  });

  it('the mail facts of a domain are asked again five seconds after a failure, not before', async () => {
    say = (kind) => (kind === 'spf' ? Promise.reject(new Error('bug')) : unknown('failed'));
    const facts = open();
    assert.deepEqual(values(await facts.mailFactsOf(domain, all)), nothing);
    clock.advance(4_999);
    await facts.mailFactsOf(domain, all);
    assert.equal(asked.length, 4);
    clock.advance(1);
    say = (kind) => answers[kind];
    assert.deepEqual(values(await facts.mailFactsOf(domain, all)), learnt);
  });

  it('the mail facts of a domain that are older than the DNS can say now are given for a day, and no longer [Q20]', async () => {
    const facts = open();
    await facts.mailFactsOf(domain, all);
    say = () => unknown('timeout');
    clock.advance(24 * hour);
    assert.deepEqual(values(await facts.mailFactsOf(domain, all)), learnt);
    clock.advance(minute);
    assert.deepEqual(values(await facts.mailFactsOf(domain, all)), nothing);
  });

  it('the mail facts of a domain that were not requested for days are unknown while the DNS is silent', async () => {
    const facts = open();
    await facts.mailFactsOf(domain, all);
    say = () => silence;
    clock.advance(24 * hour);
    assert.deepEqual(values(await facts.mailFactsOf(domain, all)), learnt);
    clock.advance(1);
    const old = await facts.mailFactsOf(domain, all);
    assert.deepEqual(values(old), nothing);
    assert.deepEqual(old.mxProviders, []);
  });

  it('the mail facts of a domain that another process learnt within the hour are taken without a question', async () => {
    await learntBefore(hour - 1);
    assert.deepEqual(values(await open().mailFactsOf(domain, all)), learnt);
    assert.deepEqual(asked, ['dnsbl']);
  });

  it('the mail facts of a domain that another process learnt within the day are asked again, and stand in for a failure', async () => {
    await learntBefore(hour);
    say = () => unknown('failed');
    assert.deepEqual(values(await open().mailFactsOf(domain, all)), learnt);
    assert.deepEqual(asked, kinds);
  });

  it('the mail facts of a domain that another process learnt more than a day ago, or in the future of a clock set back, do not stand in', async () => {
    say = () => unknown('failed');
    for (const agoMs of [24 * hour + 1, -1]) {
      await learntBefore(agoMs);
      assert.deepEqual(values(await open().mailFactsOf(domain, all)), nothing);
    }
  });

  it('the mail facts of a domain come from the DNS while the storage is unavailable, which is reported', async () => {
    const away = { ...store, load: () => Promise.reject(new Error('away')) };
    assert.deepEqual(values(await open({ store: away }).mailFactsOf(domain, all)), learnt);
    assert.equal(storeErrors.length, 1);
  });

  it('the mail facts of a domain are not overwritten by older ones from a slow storage', async () => {
    await learntBefore(hour / 2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow: FactsStore = {
      ...store,
      async load(...given) {
        await promise;
        return store.load(...given);
      },
    };
    const facts = open({ store: slow });
    say = (kind) => (kind === 'spf' ? known('relaxed') : answers[kind]);
    await facts.mailFactsOf(domain, all);
    resolve();
    await eventually(async () => assert.ok(!(facts.mailFactsOf(domain, all) instanceof Promise)));
    assert.deepEqual(values(await facts.mailFactsOf(domain, all)), [records, 'relaxed', 'reject']);
  });

  it('the mail facts of a domain that were learnt are written, answers of blocklist zones excepted', async () => {
    const writer = createFactWriter({ store, prove: async () => true });
    say = (kind) => (kind === 'dnsbl' ? known(true) : answers[kind]);
    await open({ writer }).mailFactsOf(domain, all);
    await writer.buffer.flush();
    const rows = await db.read.selectFrom('facts').select(['kind', 'value']).orderBy('kind').execute();
    assert.deepEqual(
      rows.map(({ kind, value }) => [kind, JSON.parse(value)]),
      [
        ['dmarc', 'reject'],
        ['mx', records],
        ['spf', 'strict'],
      ],
    );
  });

  it('the mail facts of a domain take a bounded number of bytes: a domain with many long hosts sends others away', async () => {
    const hosts = Array.from({ length: 30 }, (_, priority) => ({ hostname: 'x'.repeat(237), priority }));
    say = (kind) => (kind === 'mx' ? known(hosts) : answers[kind]);
    const facts = open({ maxBytes: 50_000 });
    for (let index = 0; index < 20; index++) await facts.mailFactsOf(caseDomain(`d${index}.example.com`), all);
    assert.ok(facts.bytes() <= 50_000);
    assert.equal(facts.size(), 4);
  });

  it('the mail facts of a domain of an earlier version, which stored every host, come back as thirty', async () => {
    const hosts = Array.from({ length: 1_000 }, (_, priority) => ({ hostname: `h${priority}.test`, priority }));
    await store.save([{ domain: domain.ascii, kind: 'mx', value: hosts, source: 'dns', learntAtMs: clock.now() }]);
    assert.deepEqual(valueOrNull((await open().mailFactsOf(domain, all)).mx), hosts.slice(0, 30));
  });

  it('the mail facts of a domain are kept for a bounded number of domains', async () => {
    const facts = open({ maxDomains: 2 });
    for (const name of ['a.example.com', 'b.example.com', 'c.example.com'])
      await facts.mailFactsOf(caseDomain(name), all);
    assert.equal(facts.size(), 2);
  });
});
