import { type Config, readConfig } from '../config.ts';
import type { SignalsOptions } from './signals.ts';

/** The configuration for the options, with the limits of the service's settings. Environment variables are not read. */
export function libraryConfig({ dataDir, offline, dns = {}, refreshLists, logLevel = 'warn' }: SignalsOptions): Config {
  return readConfig({
    DATA_DIR: dataDir,
    OFFLINE: String(offline === true),
    DNS_SERVERS: dns.servers?.join(','),
    DNS_DEADLINE_MS: dns.deadlineMs?.toString(),
    DNS_PROBE: dns.mustExist === false ? 'off' : dns.mustExist?.join(','),
    DNSBL_ZONES: dns.blocklists?.join(','),
    LISTS_REFRESH: refreshLists === true ? 'daily' : 'off',
    LOG_LEVEL: logLevel,
  });
}
