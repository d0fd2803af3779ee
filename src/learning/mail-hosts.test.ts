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

/** By the first word of a name. */
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
      now: () => nowMs,
    });
  beforeEach(async () => {
    db = await openDatabase(await fresh());
    hosts = open();
  });
  afterEach(() => db.close());
  const see = async (domains: readonly string[], ...servers: string[]) => {
    for (const domain of domains) hosts.observe(domain, mailAt(...servers));
    await hosts.buffer.flush();
    await hosts.recount();
  };

  it('mail servers are learnt from ten listed domains, and counted', async () => {
    await see(some(9, 'listed'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 0);
    await see(some(12, 'listed'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 12);
  });

  it('mail servers are known to another process, and after a restart', async () => {
    await see(some(10, 'listed'), 'mx.bin.net');
    const other = open();
    await other.load();
    assert.equal(other.sharedBy('mx.bin.net'), 10);
  });

  it('mail servers are not learnt when more than one in ten of their domains is not listed', async () => {
    await see([...some(18, 'listed'), ...some(3, 'new')], 'mx.mixed.net');
    assert.equal(hosts.sharedBy('mx.mixed.net'), 0);
  });

  it('mail servers stay learnt while new domains appear there, down to half', async () => {
    await see(some(10, 'listed'), 'mx.bin.net');
    await see(some(10, 'new'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 10);
    await see(some(11, 'new'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 0);
  });

  it('mail servers are forgotten when a domain points there that somebody vouches for', async () => {
    await see(some(50, 'listed'), 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 50);
    await see(['popular.com'], 'mx.bin.net');
    assert.equal(hosts.sharedBy('mx.bin.net'), 0);
  });

  it('mail servers of a provider, and those of a domain of its own, are never learnt', async () => {
    await see(some(50, 'listed'), 'aspmx.google.com');
    for (const domain of some(50, 'listed')) await see([domain], `mx.${domain}`);
    assert.equal(hosts.sharedBy('aspmx.google.com'), 0);
    assert.deepEqual(await createMailHostsStore(db).page({ host: '', domain: '' }, 10), []);
  });

  it('mail servers are forgotten with what a lying DNS server made up', async () => {
    await see(some(10, 'listed'), 'mx.bin.net');
    await hosts.retract(nowMs, nowMs);
    await hosts.recount();
    assert.equal(hosts.sharedBy('mx.bin.net'), 0);
  });

  it('mail servers are learnt from the DNS of listed names; a failed question says nothing', async () => {
    const names = [...some(10, 'listed'), 'unanswered.com'];
    const seen: string[] = [];
    const done = await learnDomains({
      names,
      rate: 6,
      hosts,
      ask: ({ ascii }) => (ascii === 'unanswered.com' ? unknown('timeout') : known(mailAt('mx.bin.net'))),
      onProgress: ({ last }) => void seen.push(last),
    });
    assert.deepEqual(done, { asked: 11, unanswered: 1, last: 'unanswered.com' });
    assert.deepEqual(seen, ['listed5.com', 'unanswered.com']);
    assert.equal(await hosts.recount(), 1);
    assert.equal(hosts.sharedBy('mx.bin.net'), 10);
  });
});
