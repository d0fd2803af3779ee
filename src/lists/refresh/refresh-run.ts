import { curatedData } from '../../files/package-files.ts';
import { createDns } from '../../net/dns/dns.ts';
import { createGuardedHttp } from '../../net/http/guarded-http.ts';
import { createHostAddresses } from '../../net/http/host-addresses.ts';
import { type ListLog, snapshotStore } from '../snapshot/kept-snapshot.ts';
import { readCurated } from '../sources/curated.ts';
import { type RefreshOptions, refreshLists } from './refresh.ts';
import type { RefreshResult } from './refresh-source.ts';

/** A refresh as plain data, so that it can be handed to another process. */
export interface RefreshOrder {
  readonly dataDir: string;
  readonly outboundAllow: readonly string[];
  readonly dnsServers: readonly string[] | null;
  readonly rdapBootstrapUrl: string;
  /** These sources, also when they are off. */
  readonly only?: readonly string[];
  readonly notWithinMs?: number;
}

/** Receives the progress of a refresh. */
export type RefreshHooks = Pick<RefreshOptions, 'onStart' | 'onProgress' | 'onResult'>;

/** Runs a refresh with its own network clients. */
export async function runRefresh(
  order: RefreshOrder,
  log: ListLog,
  hooks: RefreshHooks = {},
): Promise<RefreshResult[]> {
  const { dataDir, rdapBootstrapUrl, only, notWithinMs = 0 } = order;
  const now = Date.now;
  const dns = createDns({ servers: order.dnsServers, offline: false, now });
  const resolve = createHostAddresses(dns, now);
  const http = createGuardedHttp({ allowOrigins: order.outboundAllow, offline: false, resolve });
  const store = snapshotStore({ dataDir, curatedDir: curatedData, log, now });
  try {
    return await refreshLists({
      dataDir,
      rdapBootstrapUrl,
      notWithinMs,
      download: http.download,
      neverFlag: new Set(readCurated(curatedData).neverFlag),
      rebuild: () => store.rebuild(),
      now,
      ...(only === undefined ? {} : { only: new Set(only) }),
      ...hooks,
    });
  } finally {
    http.close();
    dns.close();
  }
}
