import { useImport, useRemove } from '../../api/blocklist.ts';
import { useEnvironment } from '../../api/environment.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';

/** Puts the domain on the blocklist, with a way back. */
export function ToBlocklist({ domain }: { domain: string }) {
  const environment = useEnvironment();
  const add = useImport();
  const remove = useRemove();
  const undo = () =>
    remove.mutate([domain], {
      onSuccess: () => toast(`${domain} is no longer on the blocklist`),
      onError: (error) => problemToast(whatToDo(error)),
    });
  const run = () =>
    add.mutate(domain, {
      onSuccess: ({ added, full }) => {
        if (full > 0) return problemToast('The blocklist is full.');
        toast(
          added > 0 ? `${domain} is on the blocklist of ${environment}` : `${domain} was on it already`,
          added > 0 ? { label: 'Undo', run: undo } : null,
        );
      },
      onError: (error) => problemToast(whatToDo(error)),
    });
  return (
    <Button icon="blocklist" busy={add.isPending} onClick={run}>
      Block {domain}
    </Button>
  );
}
