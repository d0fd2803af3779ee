import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from './client.ts';
import { useCustomLists } from './custom-lists.ts';

/** The fields and operators of conditions; the same in every environment. */
export function useCatalogue() {
  const { gates } = useClient();
  const catalogue = useQuery({
    queryKey: ['catalogue'],
    queryFn: ({ signal }) => gates.catalogue({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lists = useCustomLists().data;
  const data = useMemo(() => catalogue.data && { ...catalogue.data, lists: lists ?? [] }, [catalogue.data, lists]);
  return { ...catalogue, data };
}
