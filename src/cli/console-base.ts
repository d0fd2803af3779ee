import { isIPv6 } from 'node:net';
import type { Config } from '../config.ts';

/**
 * Where the console opens: `PUBLIC_URL`, else the address the service listens on, which a browser on this machine can open;
 * empty where only the running service knows its port.
 */
export function consoleBase({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== null) return publicUrl;
  if (port === 0) return '';
  // A browser cannot open the wildcard address.
  const opens = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(opens) ? `[${opens}]` : opens}:${port}`;
}
