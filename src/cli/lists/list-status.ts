import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { listStatusBody, readDownloads } from '../../console/adapters/list-status-body.ts';
import { type IpDataStatus, openIpData } from '../../ip/ip-data.ts';
import { openNetworkPackage } from '../../ip/network-package.ts';
import type { ListUser } from '../../lists/distribution/list-users-store.ts';
import { expectedRecall, recallText } from '../../lists/expected-recall.ts';
import type { ListStatus } from '../../lists/lists.ts';
import { isOldEdition } from '../../lists/old-editions.ts';
import { openRanks, type RanksStatus } from '../../lists/ranks/ranks.ts';
import type { RefreshState } from '../../lists/refresh/refresh-state.ts';
import { type Output, table } from '../command.ts';
import { commandLog } from '../command-log.ts';

/** The output of `lists status`. */
export async function listStatus(config: Config, status: ListStatus, users: readonly ListUser[]): Promise<Output> {
  const nowMs = Date.now();
  const ranks = readRanks(config);
  const ip = await readIpStatus(config);
  const downloads = readDownloads(config);
  const sections = [
    `Lists built ${age(status.builtAt, nowMs)}: ${status.counts.entries} names, ${status.counts.disposable} disposable${recallLine(status, nowMs)}`,
    sourceTable(status, nowMs),
    `Downloads (signalpost lists update; LISTS_REFRESH=${config.listsRefresh})\n${table(
      ['source', 'state', 'fetched', 'edition', 'count', 'licence', 'last problem'],
      downloads.map(({ source, state }) => [
        source.name,
        source.enabled ? 'on' : 'off',
        state.fetchedAtMs === null ? 'never' : age(new Date(state.fetchedAtMs).toISOString(), nowMs),
        editionText(state, nowMs),
        state.fetchedAtMs === null ? '' : String(state.count),
        source.licence,
        state.problem ?? '',
      ]),
    )}`,
    ranksLine(ranks, nowMs),
    `IP data: ${[ip.country, ip.networks].map((each) => (each === null ? '' : `${each.source} ${each.version}${editionAge(each.date, nowMs)} (${each.attribution})`)).join(', ')}\n${table(
      ['file', 'state', 'in use since', 'reason'],
      ip.files.map(({ file, state, takenAt, reason }) => [file, state, takenAt ?? '', reason ?? '']),
    )}`,
    `Your own entries\n${table(
      ['list', 'count'],
      Object.entries(status.operator).map(([list, count]) => [list, String(count)]),
    )}`,
    ...userLines(users, status, nowMs),
    ...problemLines(status),
  ];
  return {
    json: listStatusBody.body({ status, downloads, ranks, ip, users, config, nowMs }),
    text: sections.join('\n\n'),
  };
}

function recallLine({ sources }: ListStatus, nowMs: number): string {
  const recall = expectedRecall(sources, nowMs);
  return recall === null ? '' : `\nExpected recall: ${recallText(recall)}`;
}

async function readIpStatus({ dataDir }: Config): Promise<IpDataStatus> {
  const log = commandLog();
  const ip = openIpData({ dataDir, log, now: Date.now, networks: openNetworkPackage({ dataDir, log }) });
  await ip.loaded;
  await ip.close();
  return ip.status();
}

function readRanks({ dataDir }: Config): RanksStatus {
  const log = commandLog();
  const ranks = openRanks({ file: join(dataDir, 'lists', 'ranks.bin'), log });

  return ranks.status();
}

function sourceTable(status: ListStatus, nowMs: number): string {
  return table(
    ['source', 'version', 'count', 'licence', 'age'],
    status.sources.map(({ name, version, count, licence, date }) => [
      name,
      version,
      String(count),
      licence,
      date === null ? '' : `${age(date, nowMs)}${isOldEdition(date, nowMs) ? ', old' : ''}`,
    ]),
  );
}

function editionAge(date: string | null, nowMs: number): string {
  return date === null ? '' : `, ${age(date, nowMs)}${isOldEdition(date, nowMs) ? ', old' : ''}`;
}

function ranksLine({ source, date, count, seedCount }: RanksStatus, nowMs: number): string {
  if (source === null || date === null) return `Ranks: ${seedCount} well-known domains; no ranking is loaded`;
  return `Ranks: ${count} from ${source}${editionAge(date, nowMs)}, and ${seedCount} well-known domains`;
}

/** Enough of a fingerprint to distinguish two. */
const shortFingerprint = (fingerprint: string): string => fingerprint.slice(0, 12);

function userLines(users: readonly ListUser[], { fingerprint }: ListStatus, nowMs: number): string[] {
  if (users.length === 0) return [];
  const rows = users.map((user) => [
    user.host,
    user.version,
    shortFingerprint(user.fingerprint),
    age(user.builtAt, nowMs),
    `${Math.max(0, Math.round((nowMs - user.seenAtMs) / 1_000))} s ago`,
  ]);
  const here = `Instances and their lists; the data directory here has ${shortFingerprint(fingerprint)}`;
  return [`${here}\n${table(['host', 'version', 'lists', 'built', 'last seen'], rows)}`];
}

function problemLines({ refusedDownloads }: ListStatus): string[] {
  return refusedDownloads.length === 0 ? [] : [`Problems\n${refusedDownloads.map((line) => `  ${line}`).join('\n')}`];
}

function editionText({ edition }: RefreshState, nowMs: number): string {
  if (edition === null) return '';
  const old = isOldEdition(edition.date, nowMs) ? ', old' : '';
  return `${age(edition.date, nowMs)}${old}${edition.from === 'download' ? ' (date of the download)' : ''}`;
}

/** How long ago a moment is, in the largest unit that fits. */
function age(isoTime: string, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(isoTime)) / 60_000));
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} days ago`;
}
