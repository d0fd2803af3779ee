import { Signalpost } from '@signalpost/client';
import { type Environment, useEnvironment } from './environment.ts';

const clients = new Map<Environment, Signalpost>();

/** The SDK with the session's identity, for the public endpoints as mounted below the console. */
export function clientOf(environment: Environment): Signalpost {
  const known = clients.get(environment);
  if (known) return known;
  const client = new Signalpost({
    apiKey: null,
    baseUrl: `${location.origin}/console/api/${environment}`,
    attemptTimeoutMs: 30_000,
    // TanStack Query retries, and knows which errors are worth it.
    maxAttempts: 1,
  });
  clients.set(environment, client);
  return client;
}

/** The client of the page's environment. */
export const useClient = (): Signalpost => clientOf(useEnvironment());
