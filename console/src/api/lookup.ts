import { type DomainSignals, type EmailSignals, PermissionError, type Signalpost } from '@signalpost/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';

/** What is known about an address or a domain. */
export type Signals = DomainSignals | EmailSignals;

/** Looks up once: it costs a credit, so nothing is asked again unless somebody wants it. */
export function useLookup(subject: string) {
  const environment = useEnvironment();
  const client = useClient();
  return useQuery({
    queryKey: ['lookup', environment, subject],
    queryFn: ({ signal }) => lookUp(client, subject, signal),
    enabled: subject !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
    retry: false,
  });
}

async function lookUp(client: Signalpost, subject: string, signal: AbortSignal): Promise<Signals> {
  const ask = (explain: boolean): Promise<Signals> =>
    subject.includes('@')
      ? client.email(subject, { explain }, { signal })
      : client.domain(subject, { explain }, { signal });
  try {
    return await ask(true);
  } catch (error) {
    // Reasons belong to some plans only; the answer itself does not.
    if (error instanceof PermissionError && error.code === 'pro_only') return ask(false);
    throw error;
  }
}
