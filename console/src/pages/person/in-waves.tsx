import { useQueries } from '@tanstack/react-query';
import { useClient } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import type { LogEntry } from '../../api/log.ts';
import { useWaves, type Wave } from '../../api/waves.ts';
import { dayName } from '../../text/times.ts';
import { NamedLinks } from './named-links.tsx';

/** Each costs a request. */
const maxAsked = 10;

/** The waves that the decisions about a person belong to: the log is asked about waves that lasted at the time of one. */
export function InWaves({ address, entries }: { address: string; entries: readonly LogEntry[] }) {
  const environment = useEnvironment();
  const { gates } = useClient();
  const candidates = (useWaves().data ?? []).filter((wave) => entries.some((entry) => isDuring(wave, entry)));
  const asked = candidates.slice(0, maxAsked);
  const found = useQueries({
    queries: asked.map(({ id }) => ({
      queryKey: ['log-latest', environment, { mailbox: address, wave_id: id }, 1],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        gates.decisions.search({ mailbox: address, wave_id: id, limit: 1 }, { signal }),
    })),
  });
  const waves = asked.filter((_, place) => (found[place]?.data?.data.length ?? 0) > 0);
  return (
    <NamedLinks
      label="Part of a wave"
      links={waves.map(({ id, value, began_at }) => ({
        href: `/${environment}/waves/${id}`,
        name: `${value}, ${dayName(began_at)}`,
      }))}
    />
  );
}

function isDuring({ began_at, ended_at }: Wave, { created_at }: LogEntry): boolean {
  const at = Date.parse(created_at);
  return at >= Date.parse(began_at) && (ended_at === null || at <= Date.parse(ended_at));
}
