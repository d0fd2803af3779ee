import type { Config } from '../../config.ts';
import type { IpDataStatus } from '../../ip/ip-data.ts';
import type { ListUser } from '../../lists/distribution/list-users-store.ts';
import { expectedRecall } from '../../lists/expected-recall.ts';
import type { ListStatus } from '../../lists/lists.ts';
import { isOldEdition } from '../../lists/old-editions.ts';
import type { RanksStatus } from '../../lists/ranks/ranks.ts';
import { type RefreshSource, readRefreshSources } from '../../lists/refresh/refresh-catalogue.ts';
import { type RefreshState, readRefreshState } from '../../lists/refresh/refresh-state.ts';

/** A source and the state of its last download. */
export interface Download {
  readonly source: RefreshSource;
  readonly state: RefreshState;
}

/** The inputs of the lists' status. */
export interface ListStatusParts {
  readonly status: ListStatus;
  readonly downloads: readonly Download[];
  readonly ranks: RanksStatus;
  readonly ip: IpDataStatus;
  /** The processes that use the database and their lists. */
  readonly users: readonly ListUser[];
}

/** Every source that can be downloaded, and its state. */
export function readDownloads({ dataDir, rdapBootstrapUrl }: Config): Download[] {
  return readRefreshSources(dataDir, rdapBootstrapUrl).map((source) => ({
    source,
    state: readRefreshState(dataDir, source.name),
  }));
}

/** The state of the lists on the wire, for `lists status --json` and the console. */
export function listStatusBody({ status, downloads, ranks, ip, users }: ListStatusParts, nowMs: number) {
  return {
    built_at: status.builtAt,
    fingerprint: status.fingerprint,
    size_bytes: status.sizeBytes,
    counts: status.counts,
    expected_recall: expectedRecall(status.sources, nowMs),
    sources: status.sources.map((source) => ({ ...source, old: isOldEdition(source.date, nowMs) })),
    downloads: downloads.map(({ source, state }) => ({
      source: source.name,
      enabled: source.enabled,
      url: source.url,
      licence: source.licence,
      ...wireState(state),
    })),
    ranks: {
      source: ranks.source,
      built_at: ranks.builtAt,
      date: ranks.date,
      count: ranks.count,
      seed_count: ranks.seedCount,
    },
    ip: {
      country: ip.country,
      networks: ip.networks,
      files: ip.files.map(({ takenAt, ...file }) => ({ ...file, taken_at: takenAt })),
    },
    operator: status.operator,
    instances: users.map(({ host, version, fingerprint, builtAt, seenAtMs }) => ({
      host,
      version,
      fingerprint,
      built_at: builtAt,
      seen_at: new Date(seenAtMs).toISOString(),
    })),
    problems: status.refusedDownloads.map((reason) => ({ reason })),
  };
}

function wireState({ fetchedAtMs, checkedAtMs, edition, count, problem }: RefreshState): object {
  const time = (ms: number | null): string | null => (ms === null || ms === 0 ? null : new Date(ms).toISOString());
  return { fetched_at: time(fetchedAtMs), checked_at: time(checkedAtMs), edition, count, problem };
}
