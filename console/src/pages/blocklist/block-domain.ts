import { ValidationError } from '@signalpost/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import { sentenceOf, whatToDo } from '../../text/problems.ts';
import { problemToast, toast } from '../../ui/toast.tsx';

/** Adds a domain to the blocklist of the environment; the toast offers undo. */
export function useBlockDomain() {
  const environment = useEnvironment();
  const { blocklist } = useClient();
  const queries = useQueryClient();
  const handlers = {
    onError: (error: Error) => problemToast(error instanceof ValidationError ? sentenceOf(error) : whatToDo(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['blocklist', environment] }),
  };
  const remove = useMutation({
    mutationFn: (domain: string) => blocklist.remove(domain),
    onSuccess: (_removed, domain) => toast(`${domain} is no longer on the blocklist`),
    ...handlers,
  });
  return useMutation({
    mutationFn: (domain: string) => blocklist.add(domain),
    onSuccess: (_added, domain) =>
      toast(`${domain} is on the blocklist of ${environment}`, { label: 'Undo', run: () => remove.mutate(domain) }),
    ...handlers,
  });
}
