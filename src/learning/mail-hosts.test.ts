import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { type Db, openDatabase } from '../db/db.ts';
import { known, unknown } from '../reading.ts';
import type { Standing } from './count-hosts.ts';
import { learnDomains } from './learn-domains.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMailHostsStore } from './mail-hosts-store.ts';

const mailAt = (...hosts: string[]) => hosts.map((hostname) => ({ hostname, priority: 10 }));
const some = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}.com`);

/** Determined by the prefix of the name. */
function standingOf(domain: string): Standing {
  if (domain.startsWith('listed')) return 'listed';
  return domain.startsWith('popular') ? 'vouched' : 'other';
}

await describeEngines('mail servers', (fresh) => {
  let db: Db;
  let hosts: MailHosts;
  const nowMs = 1_000;
  const open = () =>
    createMailHosts({
      store: createMailHostsStore(db),
      standingOf,
      isExempt: (host) => host.endsWith('google.com'),
      isListed: (host) => host.endsWith('listed0.com'),
      now: () => nowMs,
    });
  beforeEach(async () => {
    db = await openDatabase(await fresh());
    hosts = open();
    for (const domain of some(1_000, 'ordinary')) hosts.observe(domain, mailAt('mx.hosting.net'));
  });
  afterEach(() => db.close());
  const see = async (domains: readonly string[], ...servers: string[]) => {
    for (const domain of domains) hosts.observe(domain, mailAt(...servers));
    await hosts.buffer.flush();
    await hosts.recount();
  };

  it('a mail server is learnt from ten listed domains, and their number is known', async () => {
    await see(some(9, 'listed'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 0);
    await see(some(12, 'listed'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 12);
  });

  it('only mail servers below listed domains are learnt until a thousand ordinary domains were seen elsewhere', async () => {
    hosts = open();
    await see(some(12, 'listed'), 'mx.bin.net', 'mx.listed0.com');
    await see(some(999, 'ordinary'), 'mx.hosting.net');
    assert.deepEqual([hosts.sharedBy('mx.bin.net'), hosts.sharedBy('mx.listed0.com')], [0, 11]);
    await see(some(1_000, 'ordinary'), 'mx.hosting.net');
    assert.deepEqual([hosts.sharedBy('mx.bin.net'), hosts.sharedBy('mx.listed0.com')], [12, 11]);
  });

  it('learnt mail servers are available to other processes and after a restart', async () => {
    await see(some(10, 'listed'), 'mx.bin.net');
    const other = open();
    await other.load();
    assert.equal(other.sharedBy('mx.bin.net'), 10);
  });

  it('a mail server is not learnt when more than one in twenty of its domains is unlisted, unless its own domain is listed', async () => {
    await see([...some(18, 'listed'), ...some(1, 'new')], 'mx.mixed.net', 'mx.listed0.com');
    assert.deepEqual([hosts.sharedBy('mx.mixed.net'), hosts.sharedBy('mx.listed0.com')], [0, 17]);
  });

  it('a mail server stays learnt until more than half of its domains are unlisted', async () => {
    await see(some(10, 'listed'), 'mx.bin.net');
    await see(some(10, 'new'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 10);
    await see(some(11, 'new'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 0);
  });

  it('a mail server is dropped when a vouched domain uses it', async () => {
    await see(some(50, 'listed'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 50);
    await see(['popular.com'], 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 0);
  });

  it("a provider's mail servers and a domain's own mail servers are never learnt", async () => {
    await see(some(50, 'listed'), 'aspmx.google.com');
    for (const domain of some(50, 'listed')) await see([domain], `mx.${domain}`);
    assert.equal(hosts.sharedBy('aspmx.google.com'), 0);
    const stored = await createMailHostsStore(db).page({ host: '', domain: '' }, 2_000);
    assert.deepEqual(
      stored.filter(({ domain }) => domain.startsWith('listed')),
      [],
    );
  });

  it('mail servers are not learnt from a batch of answers whose DNS server did not prove itself', async () => {
    const untrusted = () => Promise.reject(new Error('untrusted'));
    const ask = () => known(mailAt('mx.bin.net'));
    const learning = learnDomains({
      names: some(10, 'listed'),
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
    const names = [...some(10, 'listed'), 'unanswered.com'];
    const seen: string[] = [];
    const done = await learnDomains({
      names,
      rate: 6,
      hosts,
      ask: ({ ascii }) => (ascii === 'unanswered.com' ? unknown('timeout') : known(mailAt('mx.bin.net'))),
      confirm: async () => {},
      onProgress: ({ last }) => void seen.push(last),
    });
    assert.deepEqual(done, { asked: 11, unanswered: 1, last: 'unanswered.com' });
    assert.deepEqual(seen, ['listed5.com', 'unanswered.com']);
    assert.equal(await hosts.recount(), 1);
    assert.equal(hosts.sharedBy('mx.bin.net'), 10);
  });
});
