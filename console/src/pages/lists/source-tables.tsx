import type { Download, ListSource } from '../../api/lists.ts';
import { grouped } from '../../text/numbers.ts';
import { dayName } from '../../text/times.ts';
import { Pill } from '../../ui/pill.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { DownloadState } from './download-state.tsx';
import styles from './lists.module.css';

/** The downloads: interval, age and last problem. */
export function DownloadTable({ downloads }: { downloads: readonly Download[] }) {
  return (
    <Table
      label="Downloads"
      rows={downloads}
      keyOf={({ source }) => source}
      columns={[
        {
          title: 'Source',
          isWide: true,
          cell: ({ source, problem }) => (
            <>
              <span className={styles.source}>{source}</span>
              {problem && <span className={styles.trouble}>{problem}</span>}
            </>
          ),
        },
        { title: 'State', cell: (download) => <DownloadState download={download} /> },
        { title: 'Licence', priority: 3, cell: ({ licence }) => <span className={styles.licence}>{licence}</span> },
        {
          title: 'Interval',
          priority: 3,
          cell: ({ every_hours }) => <span className={styles.soft}>{rhythm(every_hours)}</span>,
        },
        {
          title: 'Edition',
          priority: 2,
          cell: ({ edition }) => <span className={styles.soft}>{edition && dayName(edition.date)}</span>,
        },
        {
          title: 'Fetched',
          isNumber: true,
          cell: ({ fetched_at }) => (fetched_at ? <Ago at={fetched_at} /> : 'never'),
        },
        {
          title: 'Names',
          isNumber: true,
          cell: ({ count, fetched_at }) => (count === null || fetched_at === null ? '' : grouped(count)),
        },
      ]}
    />
  );
}

function rhythm(hours: number): string {
  if (hours < 24) return `every ${hours} h`;
  const days = Math.round(hours / 24);
  return days === 1 ? 'daily' : days === 7 ? 'weekly' : `every ${days} days`;
}

/** The sources that packages bring, with version and age. */
export function SourceTable({ sources }: { sources: readonly ListSource[] }) {
  return (
    <Table
      label="Installed sources"
      rows={sources}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Source', isWide: true, cell: ({ name }) => <span className={styles.source}>{name}</span> },
        { title: 'Version', priority: 2, cell: ({ version }) => <span className={styles.soft}>{version}</span> },
        { title: 'Licence', priority: 3, cell: ({ licence }) => <span className={styles.licence}>{licence}</span> },
        {
          title: 'Edition',
          cell: ({ date, old }) => (
            <span className={styles.edition}>
              {date ? dayName(date) : 'unknown'} {old && <Pill tone="challenge">old</Pill>}
            </span>
          ),
        },
        { title: 'Names', isNumber: true, cell: ({ count }) => grouped(count) },
      ]}
    />
  );
}
