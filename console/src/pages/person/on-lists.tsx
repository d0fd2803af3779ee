import { useQueries } from '@tanstack/react-query';
import { useClient } from '../../api/client.ts';
import { useCustomLists } from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';
import { NamedLinks } from './named-links.tsx';

/** The custom lists that have an address or its domain. */
export function OnLists({ address }: { address: string }) {
  const environment = useEnvironment();
  const { lists } = useClient();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const candidates = (useCustomLists().data ?? []).filter(({ kind }) => kind === 'email' || kind === 'domain');
  const found = useQueries({
    queries: candidates.map(({ id, kind }) => ({
      queryKey: ['custom-lists', environment, id, 'entries', kind === 'email' ? address : domain],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const q = kind === 'email' ? address : domain;
        const { data } = await lists.entries.list(id, { q, limit: 10 }, { signal });
        return data.some(({ value, expired }) => value === q && expired !== true);
      },
    })),
  });
  const named = candidates.filter((_, place) => found[place]?.data === true);
  return (
    <NamedLinks
      label="On your lists"
      links={named.map(({ id, name }) => ({ href: `/${environment}/custom-lists/${id}`, name }))}
    />
  );
}
