import { parseDomain } from '../../address/domain.ts';
import { createAuditStore } from '../../audit/audit-store.ts';
import type { Shared } from '../../feature.ts';
import type { Knowledge } from '../../knowledge/feature.ts';
import { type OperatorList, operatorLists, readValues } from '../../lists/operator/operator-list.ts';
import { readRefreshSources } from '../../lists/refresh/refresh-catalogue.ts';
import type { RefreshResult } from '../../lists/refresh/refresh-source.ts';
import { runInProcess } from '../../lists/refresh/refresh-timer.ts';
import type { RefreshWork } from '../list-refresh.ts';
import type { ConsoleLists } from '../lists-endpoints.ts';
import { type ListStatusParts, listStatusBody, readDownloads } from './list-status-body.ts';

/** How many entries the audit trail names; for more it records only the number. */
const namedAtMost = 10;
/** Addresses are stored as hashes, which cannot be displayed. */
const domainLists = operatorLists.filter((list) => list !== 'addresses');

export function consoleLists(
  { config, now }: Shared,
  { lists, ownEntries, listDistribution, ranks, ip }: Knowledge,
): ConsoleLists<ListStatusParts> {
  const named = (name: string): OperatorList | undefined => domainLists.find((list) => list === name);
  return {
    statusBody: listStatusBody,
    async status() {
      const users = (await listDistribution?.users()) ?? [];
      return {
        status: lists.status(),
        downloads: readDownloads(config),
        ranks: ranks.status(),
        ip: ip.status(),
        users,
        config,
        nowMs: now(),
      };
    },
    namings(text) {
      const domain = parseDomain(text);
      return domain && { domain: domain.ascii, ...lists.datedNamings(domain.ascii) };
    },
    entries(name) {
      const list = named(name);
      return list === undefined ? null : ownEntries.of(list);
    },
    async change(what, name, values, by) {
      const list = named(name);
      if (list === undefined) return null;
      const outcome = await ownEntries.change(what, list, values, by);
      if (!('problems' in outcome)) return outcome;
      // The console marks the invalid entries in its input.
      const problems = values.flatMap((value, position) =>
        readValues(list, [value]).problems.map(({ reason }) => ({ position, reason: `This is ${reason}.` })),
      );
      return { problems };
    },
  };
}

/** Runs the console's refreshes in a separate process, until `ended`. */
export function consoleRefresh({ config, db, log, now }: Shared, ended: AbortSignal): RefreshWork {
  const { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl } = config;
  const audit = createAuditStore(db);
  const told = ({ added, removed, ...rest }: RefreshResult) => ({
    ...rest,
    added: added ?? null,
    removed: removed ?? null,
  });
  return {
    refusal: config.offline ? 'OFFLINE=true: downloads are disabled.' : null,
    sources: () => readRefreshSources(dataDir, rdapBootstrapUrl),
    async run(only, hooks) {
      const order = { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl, ...(only === null ? {} : { only }) };
      const { onStart, onProgress } = hooks;
      const onResult = (result: RefreshResult): void => hooks.onResult(told(result));
      return (await runInProcess(order, log, ended, { onStart, onProgress, onResult })).map(told);
    },
    record(only, by) {
      const detail = only === null ? {} : { sources: only.slice(0, namedAtMost) };
      return audit.record(by, { action: 'list.refreshed', subject: 'lists', accountId: null, detail }, now());
    },
  };
}
