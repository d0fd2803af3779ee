import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useClient } from '../../api/client.ts';
import { useCustomLists } from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';

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
  if (named.length === 0) return null;
  return (
    <p>
      On your lists:{' '}
      {named.map(({ id, name }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <Link href={`/${environment}/custom-lists/${id}`}>{name}</Link>
        </span>
      ))}
    </p>
  );
}
