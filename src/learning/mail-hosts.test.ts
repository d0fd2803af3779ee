import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { caseDomain } from '../../test/mail/mail-zone.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { createFactsStore, type Fact } from '../lookups/facts-store.ts';
import { known, unknown } from '../reading.ts';
import type { DomainTrust } from './count-hosts.ts';
import { learnDomains } from './learn-domains.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMailHostsStore } from './mail-hosts-store.ts';

const dayMs = 86_400_000;
const visitor = caseDomain('visitor.example');
const mailAt = (...hosts: string[]) => hosts.map((hostname) => ({ hostname, priority: 10 }));
const some = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}.com`);

/** Determined by the prefix of the name. */
function trustOf(domain: string): DomainTrust {
  if (domain.startsWith('listed')) return 'listed';
  return domain.startsWith('popular') ? 'trusted' : 'other';
}

await describeEngines('mail servers', (fresh) => {
  let db: Db;
  let hosts: MailHosts;
  const nowMs = 1_000;
  const open = () =>
    createMailHosts({
      store: createMailHostsStore(db),
      trustOf,
      isExempt: (host) => host.endsWith('google.com') || host === 'provider.bin.net',
      isListed: (host) => host.endsWith('listed0.com'),
      now: () => nowMs,
    });
  beforeEach(async () => {
    db = await openDatabase(await fresh());
    hosts = open();
  });
  afterEach(() => db.close());
  /** As `lists learn` sees them. */
  const see = async (domains: readonly string[], ...servers: string[]) => {
    for (const domain of domains) hosts.observe(domain, mailAt(...servers));
    await hosts.buffer.flush();
    await hosts.recount();
  };
  const lookUp = async (domains: readonly string[], registeredDay: number | null, ...servers: string[]) => {
    const fact = { source: 'test', learntAtMs: nowMs };
    await createFactsStore(db).save(
      domains.flatMap((domain): Fact[] => [
        { ...fact, domain, kind: 'mx', value: [] },
        { ...fact, domain, kind: 'registration', value: registeredDay === null ? null : registeredDay * dayMs },
      ]),
    );
    await see(domains, ...servers);
  };

  it('a mail server is learnt from ten listed domains, and their number is known', async () => {
    await lookUp(some(9, 'listed'), null, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 0);
    await lookUp(some(12, 'listed'), null, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 12);
  });

  it('only a mail server below a listed domain is learnt from domains that were not looked up', async () => {
    await see(some(50, 'listed'), 'mx.bin.net', 'mx.listed0.com');
    assert.deepEqual([hosts.sharedBy('mx.bin.net', visitor), hosts.sharedBy('mx.listed0.com', visitor)], [0, 49]);
    await lookUp(some(7, 'listed'), null, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 0);
    await lookUp(some(8, 'listed'), null, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 50);
  });

  it('mail servers below one domain are counted together, without those of a provider', async () => {
    await lookUp(some(5, 'listed'), null, 'mx1.bin.net');
    await lookUp(some(10, 'listed').slice(5), null, 'mx2.bin.net');
    assert.deepEqual(
      ['mx1.bin.net', 'other.bin.net', 'provider.bin.net'].map((host) => hosts.sharedBy(host, visitor)),
      [10, 10, 0],
    );
  });

  it("a domain's own mail server never makes it disposable: strangers can point listed domains at it", async () => {
    await lookUp(some(10, 'listed'), null, 'mail.company.com');
    const own = ['company.com', 'sub.company.com', 'visitor.example'].map(caseDomain);
    assert.deepEqual(
      own.map((domain) => hosts.sharedBy('mail.company.com', domain)),
      [0, 0, 10],
    );
  });

  it('learnt mail servers are available to other processes and after a restart', async () => {
    await lookUp(some(10, 'listed'), null, 'mx.bin.net');
    const other = open();
    await other.load();
    assert.equal(other.sharedBy('mx.bin.net', visitor), 10);
  });

  it('a mail server is not learnt when too many of its domains that were looked up are unlisted, unless its own domain is listed', async () => {
    await lookUp(some(4, 'new'), null, 'mx.mixed.net', 'mx.listed0.com');
    await lookUp(some(18, 'listed'), null, 'mx.mixed.net', 'mx.listed0.com');
    assert.deepEqual([hosts.sharedBy('mx.mixed.net', visitor), hosts.sharedBy('mx.listed0.com', visitor)], [0, 17]);
    await lookUp(some(22, 'listed'), null, 'mx.mixed.net');
    assert.equal(hosts.sharedBy('mx.mixed.net', visitor), 22);
  });

  it('an unlisted domain does not count against a mail server when it was registered within three days of a listed one', async () => {
    await lookUp(some(18, 'new'), 104, 'mx.bin.net');
    await lookUp(some(18, 'listed'), 100, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 0);
    await lookUp(some(18, 'new'), 103, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 18);
  });

  it('a mail server stays learnt until more than half of its domains are unlisted', async () => {
    await lookUp(some(10, 'listed'), null, 'mx.bin.net');
    await lookUp(some(10, 'new'), null, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 10);
    await lookUp(some(11, 'new'), null, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 0);
  });

  it('a mail server is dropped when a trusted domain uses it', async () => {
    await lookUp(some(50, 'listed'), null, 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 50);
    await see(['popular.com'], 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net', visitor), 0);
  });

  it("a provider's mail servers and a domain's own mail servers are never learnt", async () => {
    await lookUp(some(50, 'listed'), null, 'aspmx.google.com');
    for (const domain of some(50, 'listed')) await see([domain], `mx.${domain}`);
    assert.equal(hosts.sharedBy('aspmx.google.com', visitor), 0);
    assert.deepEqual(await createMailHostsStore(db).page({ host: '', domain: '' }, 2_000), []);
  });

  it('mail servers are not learnt from a batch of answers whose DNS server did not prove itself', async () => {
    const untrusted = () => Promise.reject(new Error('untrusted'));
    const ask = () => known(mailAt('mx.listed0.com'));
    const learning = learnDomains({
      names: some(11, 'listed'),
      rate: 20,
      hosts,
      ask,
      confirm: untrusted,
      onProgress() {},
    });
    await assert.rejects(learning, /untrusted/);
    await hosts.buffer.flush();
    assert.equal(await hosts.recount(), 0);
  });

  it('mail servers are learnt from the DNS answers of listed names, and failed queries are ignored', async () => {
    const names = [...some(11, 'listed').slice(1), 'unanswered.com'];
    const seen: string[] = [];
    const done = await learnDomains({
      names,
      rate: 6,
      hosts,
      ask: ({ ascii }) => (ascii === 'unanswered.com' ? unknown('timeout') : known(mailAt('mx.listed0.com'))),
      confirm: async () => {},
      onProgress: ({ last }) => void seen.push(last),
    });
    assert.deepEqual(done, { asked: 11, unanswered: 1, last: 'unanswered.com' });
    assert.deepEqual(seen, ['listed6.com', 'unanswered.com']);
    assert.equal(await hosts.recount(), 1);
    assert.equal(hosts.sharedBy('mx.listed0.com', visitor), 10);
  });
});
