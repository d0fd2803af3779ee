import table from '../../../data/whois-servers.json' with { type: 'json' };

/** Where a registry answers WHOIS and how. */
export interface WhoisServer {
  /** The suffix it is responsible for, ASCII. */
  readonly suffix: string;
  readonly host: string;
  readonly port?: number;
  /** The query; `%s` is replaced by the domain. The domain alone when absent. */
  readonly query?: string;
  /** The name of the field with the registration date. */
  readonly label: string;
}

/** The table in data/: registries that publish a registration date by WHOIS and may lack RDAP. */
export const shippedWhoisServers: readonly WhoisServer[] = table.entries;

/** The server of the longest suffix that covers a name; null when the table has none. */
export function findWhoisServer(servers: readonly WhoisServer[], name: string): WhoisServer | null {
  let best: WhoisServer | null = null;
  for (const server of servers) {
    if (name.endsWith(`.${server.suffix}`) && server.suffix.length > (best?.suffix.length ?? 0)) best = server;
  }
  return best;
}
