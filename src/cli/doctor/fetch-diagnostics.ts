import type { AllDiagnostics } from '../../app/diagnostics.ts';
import type { Config } from '../../config.ts';
import { errorMessage } from '../../error-message.ts';

const timeoutMs = 10_000;

/** The state of the service at a URL, or why it is unknown. `isRunning` is false when nothing listens there. */
export type Fetched =
  | { readonly state: AllDiagnostics }
  | { readonly isRunning: boolean; readonly problem: string; readonly fix: string };

/** Where the service of these settings listens, as seen from this machine. */
export function serviceUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Reads `/diagnostics`, with `METRICS_TOKEN` when it is set. */
export async function fetchDiagnostics(url: string, metricsToken: string | null): Promise<Fetched> {
  let response: Response;
  try {
    response = await fetch(`${url}/diagnostics`, {
      headers: metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const fix = 'Start it with `signalpost serve`, or pass --url if it listens elsewhere.';
    return { isRunning: false, problem: `does not answer at ${url}: ${errorMessage(reason)}`, fix };
  }
  if (response.ok) return { state: (await response.json()) as AllDiagnostics };
  const problem = `refuses its diagnostics at ${url} (${response.status})`;
  if (response.status === 401) {
    return { isRunning: true, problem, fix: 'Set METRICS_TOKEN to the value that the service has.' };
  }
  const fix =
    'Run this command on the machine of the service, not through a proxy, or set METRICS_TOKEN on both sides.';
  return { isRunning: true, problem, fix };
}
