import type { HostDomain, LearntHost, LookedUpDomain, MailHostsStore } from './mail-hosts-store.ts';

/** A domain's state in the lists: disposable, trusted (public, relay, allowed, well known, popular), or neither. */
export type DomainTrust = 'listed' | 'trusted' | 'other';

/** When a server counts as one of a disposable service; see data/mail-host-learning.json. */
export interface Thresholds {
  readonly minListed: number;
  readonly minShare: number;
  readonly keptShare: number;
  readonly nearDays: number;
}

export interface CountOptions {
  readonly page: MailHostsStore['page'];
  readonly lookedUp: MailHostsStore['lookedUp'];
  trustOf(domain: string): DomainTrust;
  isExempt(host: string): boolean;
  /** Whether the server's own domain is listed: no ordinary domain gives its mail to it. */
  isListed(host: string): boolean;
  /** Whether the server was learnt before: keeping it needs less than learning it. */
  isLearnt(host: string): boolean;
  readonly thresholds: Thresholds;
  readonly most: number;
}

type Counts = { host: string } & Record<DomainTrust, number>;

const pageRows = 2_000;
const dayMs = 86_400_000;

/** The servers of disposable services. Reads pages in the order of hosts, so that memory holds one host at a time. */
export async function countHosts(options: CountOptions): Promise<LearntHost[]> {
  const found: LearntHost[] = [];
  let counts: Counts = { host: '', listed: 0, trusted: 0, other: 0 };
  const end = async (): Promise<void> => {
    if (found.length < options.most && (await isDisposable(counts, options)))
      found.push({ host: counts.host, listed: counts.listed, others: counts.other });
  };
  let after: HostDomain = { host: '', domain: '' };
  for (;;) {
    const rows = await options.page(after, pageRows);
    for (const row of rows) {
      if (row.host !== counts.host) {
        await end();
        counts = { host: row.host, listed: 0, trusted: 0, other: 0 };
      }
      counts[options.trustOf(row.domain)] += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last;
  }
  await end();
  return found;
}

/**
 * `lists learn` queries every listed domain, but ordinary ones are known from lookups only. Among all known domains, a cheap host
 * therefore seems to have few ordinary customers. So only domains that were looked up are evidence.
 */
async function isDisposable({ host, listed, trusted, other }: Counts, options: CountOptions): Promise<boolean> {
  const { thresholds, isExempt, isListed, isLearnt } = options;
  if (listed < thresholds.minListed || trusted > 0 || isExempt(host)) return false;
  if (isLearnt(host) || isListed(host)) return listed / (listed + other) >= thresholds.keptShare;
  return minShareListed(await options.lookedUp(host), options) >= thresholds.minShare;
}

/** The least share of listed domains; unlisted ones that were registered with listed ones are the service's own and do not count. */
function minShareListed(
  domains: readonly LookedUpDomain[],
  { trustOf, thresholds: { nearDays } }: CountOptions,
): number {
  const listed = domains.filter(({ domain }) => trustOf(domain) === 'listed');
  const nearby = new Set<number>();
  for (const { registeredAtMs } of listed) {
    if (registeredAtMs === null) continue;
    const day = Math.floor(registeredAtMs / dayMs);
    for (let near = day - nearDays; near <= day + nearDays; near += 1) nearby.add(near);
  }
  const unrelated = domains.filter(
    ({ domain, registeredAtMs }) =>
      trustOf(domain) !== 'listed' && (registeredAtMs === null || !nearby.has(Math.floor(registeredAtMs / dayMs))),
  );
  return lowerBound(listed.length, listed.length + unrelated.length);
}

/** The z score of a two-sided interval of 95 %. */
const z = 1.96;

/** The share of which a sample of `all` with `some` is evidence, at least: the lower end of Wilson's score interval. */
export function lowerBound(some: number, all: number): number {
  if (all === 0) return 0;
  const share = some / all;
  const spread = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  return (share + z ** 2 / (2 * all) - spread) / (1 + z ** 2 / all);
}
