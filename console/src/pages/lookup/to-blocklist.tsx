import { ValidationError } from '@signalpost/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import { sentenceOf, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';

/** Adds the domain to the blocklist, with undo. */
export function ToBlocklist({ domain }: { domain: string }) {
  const environment = useEnvironment();
  const { blocklist } = useClient();
  const queries = useQueryClient();
  const handlers = {
    onError: (error: Error) => problemToast(error instanceof ValidationError ? sentenceOf(error) : whatToDo(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['blocklist', environment] }),
  };
  const remove = useMutation({
    mutationFn: () => blocklist.remove(domain),
    onSuccess: () => toast(`${domain} is no longer on the blocklist`),
    ...handlers,
  });
  const add = useMutation({
    mutationFn: () => blocklist.add(domain),
    onSuccess: () =>
      toast(`${domain} is on the blocklist of ${environment}`, { label: 'Undo', run: () => remove.mutate() }),
    ...handlers,
  });
  return (
    <Button icon="blocklist" busy={add.isPending} onClick={() => add.mutate()}>
      Block {domain}
    </Button>
  );
}
