import type { Signalpost } from '@signalpost/client';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import type { LogEntry, LogFilters } from '../../api/log.ts';
import { exportName, logCsv } from '../../text/log-csv.ts';
import { counted } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './log.module.css';

/** More belongs to `signalpost decisions export`, which needs no browser. */
const most = 10_000;

const formats = {
  CSV: { type: 'text/csv', ending: 'csv', write: logCsv },
  NDJSON: {
    type: 'application/x-ndjson',
    ending: 'ndjson',
    write: (entries: readonly LogEntry[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  },
} as const;

/** Saves the decisions that match the filters, the newest first. */
export function LogExport({ filters }: { filters: LogFilters }) {
  const environment = useEnvironment();
  const client = useClient();
  const save = useMutation({
    mutationFn: async (format: keyof typeof formats) => ({ format, entries: await allEntries(client, filters) }),
    onSuccess: ({ format, entries }) => {
      const { type, ending, write } = formats[format];
      download(`${exportName(environment, filters, entries)}.${ending}`, type, write(entries));
      toast(
        entries.length >= most
          ? `The newest ${counted(most, 'decision')} saved`
          : `${counted(entries.length, 'decision')} saved`,
      );
    },
    onError: (error) => problemToast(whatToDo(error)),
  });
  return (
    <span className={styles.formats}>
      Export
      {(Object.keys(formats) as (keyof typeof formats)[]).map((format) => (
        <Button key={format} busy={save.isPending && save.variables === format} onClick={() => save.mutate(format)}>
          {format}
        </Button>
      ))}
    </span>
  );
}

async function allEntries({ gates }: Signalpost, filters: LogFilters): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await gates.decisions.search({ ...filters, limit: 100, cursor });
    entries.push(...page.data);
    cursor = page.meta.next_cursor ?? undefined;
  } while (cursor !== undefined && entries.length < most);
  return entries.slice(0, most);
}
