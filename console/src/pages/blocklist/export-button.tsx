import { useMutation } from '@tanstack/react-query';
import { exportBlocklist } from '../../api/blocklist.ts';
import { useEnvironment } from '../../api/environment.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { problemToast } from '../../ui/toast.tsx';

/** Exports the list as a text file, one domain per line, which the import accepts. */
export function ExportButton({ isEmpty }: { isEmpty: boolean }) {
  const environment = useEnvironment();
  const take = useMutation({
    mutationFn: () => exportBlocklist(environment),
    onSuccess: (domains) => download(`blocklist-${environment}.txt`, 'text/plain', `${domains.join('\n')}\n`),
    onError: (error) => problemToast(whatToDo(error)),
  });
  return (
    <Button icon="download" busy={take.isPending} disabled={isEmpty} onClick={() => take.mutate()}>
      Export
    </Button>
  );
}
