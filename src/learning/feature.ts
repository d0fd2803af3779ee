import disposableMxTable from '../../data/disposable-mx.json' with { type: 'json' };
import mxProviderTable from '../../data/mx-providers.json' with { type: 'json' };
import { parseDomain } from '../address/domain.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Lists } from '../lists/lists.ts';
import { longestSuffix } from '../mail/host-suffix.ts';
import { compileMxProviders } from '../mail/mx-providers.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMailHostsStore } from './mail-hosts-store.ts';

/** Learnt mail servers, with the jobs and buffers that maintain them. */
export type LearntMailHosts = MailHosts & Required<Pick<Feature, 'jobs' | 'buffers'>>;

/** Learns the mail servers of disposable services from the domains that are looked up, without delaying any request. */
export async function openLearntMailHosts({ db, log, now }: Shared, lists: Lists): Promise<LearntMailHosts> {
  const providers = compileMxProviders(mxProviderTable.entries).bySuffix;
  const services = new Map(disposableMxTable.entries.map(({ mx }) => [mx, true]));
  const isVouched = (name: string): boolean => lists.isSpared(name) && !lists.isListed('disposable', name);
  const hosts = createMailHosts({
    store: createMailHostsStore(db),
    standingOf: (domain) => (lists.isListed('disposable', domain) ? 'listed' : isVouched(domain) ? 'vouched' : 'other'),
    isExempt: (host) =>
      longestSuffix(host, providers) !== null ||
      longestSuffix(host, services) !== null ||
      isVouched(parseDomain(host)?.registrable ?? host),
    isListed: (host) => lists.isListed('disposable', host),
    now,
  });
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'storage of learnt mail servers failed; the service continues with those in memory');
  await hosts.load().catch(failed);
  let counted: object | null = null;
  let seen = 0;
  const recount = async (): Promise<void> => {
    // Neither the observations nor the lists have changed.
    if (seen === 0 && counted === lists.revision) return;
    seen = 0;
    counted = lists.revision;
    await hosts.recount();
    await hosts.prune();
  };
  return {
    ...hosts,
    observe(domain, records) {
      seen += 1;
      hosts.observe(domain, records);
    },
    buffers: [hosts.buffer],
    jobs: [
      {
        name: 'load-mail-servers',
        everyMs: 60_000,
        failure: 'learnt mail servers could not be loaded; the next attempt is in a minute',
        run: hosts.load,
      },
      {
        name: 'count-mail-servers',
        everyMs: 600_000,

        failure: 'mail servers could not be counted; the next attempt is in ten minutes',
        run: recount,
      },
    ],
  };
}
