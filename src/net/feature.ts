import type { Shared } from '../feature.ts';
import { createDns, type Dns } from './dns/dns.ts';
import { isLying, type TrustChange } from './dns/dns-trust.ts';
import { createGuardedHttp, type GuardedHttp } from './http/guarded-http.ts';
import { createHostAddresses } from './http/host-addresses.ts';
import { createRdap } from './registry/rdap.ts';
import { createRegistrationDates, type RegistrationDates } from './registry/registration-dates.ts';
import { createWhois } from './registry/whois.ts';

/** The clients of the network. */
export interface Network {
  readonly dns: Dns;
  readonly http: GuardedHttp;
  /** For webhook deliveries, which must not use up the connections of lookups. */
  readonly deliveries: GuardedHttp;
  readonly registrationDates: RegistrationDates;
  /** Aborts every query in progress. */
  close(): void;
}

/** Creates the clients; calls `onTrustChange` when a DNS server starts or stops lying. */
export function createNetwork({ config, log, now }: Shared, onTrustChange: (change: TrustChange) => void): Network {
  const { offline, outboundAllow: allowOrigins, dataDir } = config;
  const dns = createDns({
    servers: config.dnsServers,
    offline,
    now,
    mustExist: config.dnsMustExist,
    onTrustChange(change) {
      const { server, to: trust } = change;
      log.warn({ server, trust }, describeTrustChange(change, config.dnsMustExist));
      onTrustChange(change);
    },
  });
  const resolve = createHostAddresses(dns, now);
  const http = createGuardedHttp({ allowOrigins, offline, resolve });
  // The courier has its own limits per receiver.
  const connections = { perOrigin: 256, total: 256 };
  const deliveries = createGuardedHttp({ allowOrigins, offline: false, resolve, connections });
  const rdap = createRdap({
    http,
    url: config.rdapBootstrapUrl,
    dataDir,
    now,
    onProblem: (problem) => log.warn({ problem }, 'could not refresh the RDAP bootstrap; the last copy stays in use'),
  });
  const whois = createWhois({ allowOrigins, resolve, offline, now });
  return {
    dns,
    http,
    deliveries,
    registrationDates: createRegistrationDates({ rdap, whois, now, offline }),
    close() {
      dns.close();
      http.close();
      deliveries.close();
    },
  };
}

/** The log line for a server that starts or stops lying: what is wrong, the effect, what to set. */
function describeTrustChange({ server, to }: TrustChange, mustExist: readonly string[]): string {
  if (!isLying(to)) return `the DNS server ${server} proved itself: its answers are trusted again`;
  const [fault, result] =
    to === 'denying'
      ? [
          `denies names that must exist (${mustExist.join(', ')})`,
          'its denials are not trusted, and their signals are null',
        ]
      : ['answers for names that do not exist', 'none of its answers are trusted, and signals that need them are null'];
  return (
    `the DNS server ${server} ${fault}: ${result}. Set DNS_SERVERS to a resolver that reaches the internet, or OFFLINE=true ` +
    'to query none; DNS_PROBE=off, or names that exist here, if this network has its own DNS root'
  );
}
