import { useMutation } from '@tanstack/react-query';
import { exportBlocklist } from '../../api/blocklist.ts';
import { useEnvironment } from '../../api/environment.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { problemToast } from '../../ui/toast.tsx';
import { blocklistCsv } from './blocklist-csv.ts';

/** Exports the list with its reasons as CSV, which the import accepts. */
export function ExportButton({ isEmpty }: { isEmpty: boolean }) {
  const environment = useEnvironment();
  const take = useMutation({
    mutationFn: () => exportBlocklist(environment),
    onSuccess: (entries) => download(`blocklist-${environment}.csv`, 'text/csv', blocklistCsv(entries)),
    onError: (error) => problemToast(whatToDo(error)),
  });
  return (
    <Button icon="download" busy={take.isPending} disabled={isEmpty} onClick={() => take.mutate()}>
      Export
    </Button>
  );
}
