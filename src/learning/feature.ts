import disposableMxTable from '../../data/disposable-mx.json' with { type: 'json' };
import mxProviderTable from '../../data/mx-providers.json' with { type: 'json' };
import { parseDomain } from '../address/domain.ts';
import type { Feature, Shared } from '../feature.ts';
import type { Lists } from '../lists/lists.ts';
import { longestSuffix } from '../mail/host-suffix.ts';
import { compileMxProviders } from '../mail/mx-providers.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMailHostsStore, learntMailHostsTopic } from './mail-hosts-store.ts';

/** Learnt mail servers, with the jobs, buffers and followers that maintain them. */
export type LearntMailHosts = MailHosts & Required<Pick<Feature, 'jobs' | 'buffers' | 'follows'>>;

/** Learns the mail servers of disposable services from the domains that are looked up, without delaying any request. */
export async function openLearntMailHosts({ db, log, now }: Shared, lists: Lists): Promise<LearntMailHosts> {
  const providers = compileMxProviders(mxProviderTable.entries).bySuffix;
  const services = new Map(disposableMxTable.entries.map(({ mx }) => [mx, true]));
  const isTrusted = (name: string): boolean => lists.isTrusted(name) && !lists.isListed('disposable', name);
  const hosts = createMailHosts({
    store: createMailHostsStore(db),
    trustOf: (domain) => (lists.isListed('disposable', domain) ? 'listed' : isTrusted(domain) ? 'trusted' : 'other'),
    isExempt: (host) =>
      longestSuffix(host, providers) !== null ||
      longestSuffix(host, services) !== null ||
      isTrusted(parseDomain(host)?.registrable ?? host),
    isListed: (host) => lists.isListed('disposable', host),
    now,
  });
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'storage of learnt mail servers failed; the service continues with those in memory');
  await hosts.load().catch(failed);
  const reload = (): void => void hosts.load().catch(failed);
  let counted: { readonly lists: object; readonly seenMs: number | null } | null = null;
  const recount = async (): Promise<void> => {
    const seenMs = await hosts.lastSeenMs();
    // Neither the observations of any process nor the lists have changed.
    if (counted?.lists === lists.revision && counted.seenMs === seenMs) return;
    counted = { lists: lists.revision, seenMs };
    await hosts.recount();
    await hosts.prune();
  };
  return {
    ...hosts,
    buffers: [hosts.buffer],
    follows: [{ topic: learntMailHostsTopic, changed: reload, changedAll: reload }],
    jobs: [
      {
        name: 'count-mail-servers',
        everyMs: 600_000,
        lease: { forMs: 1_200_000 },
        failure: 'mail servers could not be counted; the next attempt is in ten minutes',
        run: recount,
      },
    ],
  };
}
