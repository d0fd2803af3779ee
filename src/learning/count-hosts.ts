import type { HostDomain, LearntHost, MailHostsStore } from './mail-hosts-store.ts';

/** A domain's state in the lists: disposable, vouched for (public, relay, allowed, well known, popular), or neither. */
export type Standing = 'listed' | 'vouched' | 'other';

/** When a server counts as one of a disposable service; see data/mail-host-learning.json. */
export interface Thresholds {
  readonly leastListed: number;
  readonly leastShare: number;
  readonly keptShare: number;
  readonly leastOrdinary: number;
}

/** The dependencies of a count. */
export interface CountOptions {
  readonly page: MailHostsStore['page'];
  standingOf(domain: string): Standing;
  isExempt(host: string): boolean;
  /** Whether the server's own domain is listed: no ordinary domain gives its mail to it. */
  isListed(host: string): boolean;
  /** Whether the server was learnt before: keeping it needs a smaller share than learning it. */
  isLearnt(host: string): boolean;
  readonly thresholds: Thresholds;
  readonly most: number;
}

const pageRows = 2_000;

/**
 * The servers whose domains are nearly all disposable. Reads pages in the order of hosts, so that memory holds one host at a time.
 *
 * On an instance that has looked up few ordinary domains, a cheap host seems to have none either. So it learns only servers below
 * listed domains until it has seen `leastOrdinary` unlisted domains elsewhere.
 */
export async function countHosts(options: CountOptions): Promise<LearntHost[]> {
  const found: LearntHost[] = [];
  let ordinary = 0;
  let counts: { host: string } & Record<Standing, number> = { host: '', listed: 0, vouched: 0, other: 0 };
  const end = (): void => {
    if (!isDisposable(counts, options)) ordinary += counts.other;
    else if (found.length < options.most)
      found.push({ host: counts.host, listed: counts.listed, others: counts.other });
  };
  let after: HostDomain = { host: '', domain: '' };
  for (;;) {
    const rows = await options.page(after, pageRows);
    for (const row of rows) {
      if (row.host !== counts.host) {
        end();
        counts = { host: row.host, listed: 0, vouched: 0, other: 0 };
      }
      counts[options.standingOf(row.domain)] += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last;
  }
  end();
  return ordinary >= options.thresholds.leastOrdinary ? found : found.filter(({ host }) => options.isListed(host));
}

function isDisposable(
  { host, listed, vouched, other }: { host: string } & Record<Standing, number>,
  { thresholds, isExempt, isListed, isLearnt }: CountOptions,
): boolean {
  if (listed < thresholds.leastListed || vouched > 0 || isExempt(host)) return false;
  const needed = isLearnt(host) || isListed(host) ? thresholds.keptShare : thresholds.leastShare;
  return listed / (listed + other) >= needed;
}
