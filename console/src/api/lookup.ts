import { type DomainSignals, type EmailSignals, PermissionError, type Signalpost } from '@signalpost/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import { isSessionAlive } from './session-state.ts';
import { traceInputOf } from './trace.ts';

/** The signals of an address or a domain. */
export type Signals = DomainSignals | EmailSignals;

/** Looks up once: it costs a credit, so only the user repeats it. */
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
    // Only some plans include reasons; the signals themselves are in every plan.
    if (error instanceof PermissionError && error.code === 'pro_only') return ask(false);
    throw error;
  }
}

/** How often a gate is polled for the age of a domain, and at most how many times. */
const lateAge = { intervalMs: 2_000, times: 20 } as const;

/** The age of a domain whose registry had not responded yet: a trace returns it without a credit. */
export function useLateAge(subject: string, gateId: string | undefined, isPending: boolean): number | null {
  const environment = useEnvironment();
  const { gates } = useClient();
  const query = useQuery({
    queryKey: ['late-age', environment, subject, gateId],
    queryFn: async ({ signal }) =>
      (await gates.trace(gateId ?? '', traceInputOf(subject), { signal })).signals.domain.age_days,
    enabled: isPending && gateId !== undefined,
    refetchInterval: ({ state }) =>
      typeof state.data !== 'number' && state.dataUpdateCount < lateAge.times && isSessionAlive()
        ? lateAge.intervalMs
        : false,
    staleTime: 0,
  });
  return query.data ?? null;
}
