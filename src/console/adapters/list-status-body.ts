import type { Config } from '../../config.ts';
import { field, listOf, nested, nestedOrNull, same, wireOf } from '../../http/answers/wire-fields.ts';
import { schema } from '../../input/schema.ts';
import type { IpDataStatus } from '../../ip/ip-data.ts';
import type { IpFileStatus } from '../../ip/ip-file.ts';
import type { ListUser } from '../../lists/distribution/list-users-store.ts';
import { type ExpectedRecall, expectedRecall } from '../../lists/expected-recall.ts';
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
  readonly config: Pick<Config, 'listsRefresh' | 'offline'>;
  readonly nowMs: number;
}

/** Every source that can be downloaded, and its state. */
export function readDownloads({ dataDir, rdapBootstrapUrl }: Config): Download[] {
  return readRefreshSources(dataDir, rdapBootstrapUrl).map((source) => ({
    source,
    state: readRefreshState(dataDir, source.name),
  }));
}

const dayMs = 86_400_000;
const textOrNull = schema.nullable(schema.string());
const counts = schema.record(schema.integer());

type Source = ListStatus['sources'][number] & { readonly old: boolean };

const sourceBody = wireOf<Source>({
  ...same<Source>({
    name: schema.string(),
    version: schema.string(),
    date: textOrNull,
    count: schema.integer(),
    licence: schema.string(),
    old: schema.boolean(),
    alone: schema.nullable(
      schema.integer({ description: 'Names that no other source has; null for a source that names no domains' }),
    ),
  }),
});

/** A download, and the configuration and time that determine whether it is late. */
type ShownDownload = Download & Pick<ListStatusParts, 'config' | 'nowMs'>;

const downloadBody = wireOf<ShownDownload>({
  source: field(schema.string(), ({ source }) => source.name),
  enabled: field(schema.boolean(), ({ source }) => source.enabled),
  url: field(schema.string(), ({ source }) => source.url),
  licence: field(schema.string(), ({ source }) => source.licence),
  fetched_at: field(textOrNull, ({ state }) => exactTime(state.fetchedAtMs)),
  checked_at: field(textOrNull, ({ state }) => exactTime(state.checkedAtMs)),
  edition: field(
    schema.nullable(schema.object({ date: schema.string(), from: schema.oneOf(['file', 'server', 'download']) })),
    ({ state }) => state.edition,
  ),
  count: field(schema.integer(), ({ state }) => state.count),
  problem: field(textOrNull, ({ state }) => state.problem),
  every_hours: field(schema.number(), (download) => intervalMs(download) / 3_600_000),
  late: field(
    schema.nullable(schema.boolean(), {
      description: 'Null when the source is disabled or nothing is refreshed automatically',
    }),
    isLate,
  ),
});

const ranksBody = wireOf<RanksStatus>({
  source: field(textOrNull, ({ source }) => source),
  built_at: field(textOrNull, ({ builtAt }) => builtAt),
  date: field(textOrNull, ({ date }) => date),
  count: field(schema.integer(), ({ count }) => count),
  seed_count: field(schema.integer(), ({ seedCount }) => seedCount),
});

type IpPackage = IpDataStatus['country'];

/** An edition of IP data that a package brings. */
const ipPackageBody = wireOf<IpPackage>({
  ...same<IpPackage>({
    source: schema.string(),
    version: schema.string(),
    date: textOrNull,
    licence: schema.string(),
    attribution: schema.string(),
  }),
});

const ipFileBody = wireOf<IpFileStatus>({
  ...same<IpFileStatus>({
    file: schema.string(),
    state: schema.oneOf(['absent', 'used', 'refused']),
    contents: { type: ['object', 'null'] },
  }),
  taken_at: field(textOrNull, ({ takenAt }) => takenAt),
  reason: field(textOrNull, ({ reason }) => reason),
});

const instanceBody = wireOf<ListUser>({
  ...same<ListUser>({ host: schema.string(), version: schema.string(), fingerprint: schema.string() }),
  built_at: field(schema.string(), ({ builtAt }) => builtAt),
  seen_at: field(schema.string(), ({ seenAtMs }) => exactTime(seenAtMs)),
});

const recallBody = wireOf<ExpectedRecall>({
  ...same<ExpectedRecall>({ share: schema.number(), edition: schema.string() }),
});

/** The state of the lists on the wire, for `lists status --json` and the console. */
export const listStatusBody = wireOf<ListStatusParts>({
  built_at: field(schema.string(), ({ status }) => status.builtAt),
  fingerprint: field(schema.string(), ({ status }) => status.fingerprint),
  size_bytes: field(schema.integer(), ({ status }) => status.sizeBytes),
  counts: field(counts, ({ status }) => status.counts),
  expected_recall: nestedOrNull(recallBody, ({ status, nowMs }) => expectedRecall(status.sources, nowMs), {
    description:
      'The share of the disposable domains of the last half year that lists of this age have; null when it is unknown',
  }),
  sources: nested(listOf(sourceBody), ({ status, nowMs }) =>
    status.sources.map((source) => ({ ...source, old: isOldEdition(source.date, nowMs) })),
  ),
  downloads: nested(listOf(downloadBody), ({ downloads, config, nowMs }) =>
    downloads.map((download) => ({ ...download, config, nowMs })),
  ),
  ranks: nested(ranksBody, ({ ranks }) => ranks),
  'ip.country': nested(ipPackageBody, ({ ip }) => ip.country),
  'ip.networks': nestedOrNull(ipPackageBody, ({ ip }) => ip.networks),
  'ip.files': nested(listOf(ipFileBody), ({ ip }) => ip.files),
  operator: field(counts, ({ status }) => status.operator),
  instances: nested(listOf(instanceBody), ({ users }) => users),
  problems: nested(
    listOf(wireOf<string>({ reason: field(schema.string(), (reason) => reason) })),
    ({ status }) => status.refusedDownloads,
  ),
  refresh: field(schema.oneOf(['daily', 'off']), ({ config }) => config.listsRefresh),
  offline: field(schema.boolean(), ({ config }) => config.offline),
});

/** How often a source is refreshed. */
const intervalMs = ({ source }: Download): number => Math.max(dayMs, source.everyMs ?? 0);

function isLate(download: ShownDownload): boolean | null {
  const { source, state, config, nowMs } = download;
  if (config.listsRefresh !== 'daily' || config.offline || !source.enabled) return null;
  // A day of grace: a refresh starts within the hour, and publishers may be unavailable.
  return nowMs - state.checkedAtMs > intervalMs(download) + dayMs;
}

/** The commands and the console show these to the millisecond. */
const exactTime = (ms: number | null): string | null => (ms === null || ms === 0 ? null : new Date(ms).toISOString());
