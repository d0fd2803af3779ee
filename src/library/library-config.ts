import { didYouMean } from '../cli/help.ts';
import { type Config, readConfig } from '../config.ts';
import type { SignalsOptions } from './signals.ts';

const names = {
  '': ['dataDir', 'offline', 'dns', 'refreshLists', 'logLevel'],
  'dns.': ['servers', 'deadlineMs', 'mustExist', 'blocklists'],
} satisfies { '': (keyof SignalsOptions)[]; 'dns.': (keyof NonNullable<SignalsOptions['dns']>)[] };

/** The configuration for the options, with the limits of the service's settings. Environment variables are not read. */
export function libraryConfig(options: SignalsOptions): Config {
  const { dataDir, offline, dns = {}, refreshLists, logLevel = 'warn' } = options;
  rejectUnknown(options, '');
  rejectUnknown(dns, 'dns.');
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

/** A mistyped option would otherwise be ignored: `ofline` would send queries to the network. */
function rejectUnknown(options: object, prefix: keyof typeof names): void {
  const known: readonly string[] = names[prefix];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`openSignals has no option ${JSON.stringify(prefix + unknown)}${didYouMean(unknown, known)}`);
}
