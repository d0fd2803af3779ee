import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useCustomLists } from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';
import { maxNewEntries, useLog, useLogCount, useNewEntryCount } from '../../api/log.ts';
import { LabelFilter } from '../../outcomes/label-filter.tsx';
import { counted, grouped } from '../../text/numbers.ts';
import { fieldError } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { DecisionPanel } from '../decision/decision-panel.tsx';
import styles from './log.module.css';
import { LogEmpty } from './log-empty.tsx';
import { LogExport } from './log-export.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { filtersOf } from './log-filters.ts';
import { LogTable } from './log-table.tsx';

/** The decisions of all gates. */
export function LogPage() {
  const environment = useEnvironment();
  return (
    <Page isWide title="Log" lead={`Every decision of every gate in ${environment}.`}>
      <LogView />
    </Page>
  );
}

/** Decisions, newest first, of all gates or of one; the URL holds the filters and the open decision. */
export function LogView({ gateId }: { gateId?: string }) {
  const [parameters, setParameters] = useSearchParams();
  const [since, setSince] = useState(() => Date.now());
  const filters = { ...filtersOf(parameters, since), ...(gateId === undefined ? {} : { gate_id: gateId }) };
  const log = useLog(filters);
  // A button in each row depends on them: it would be added to all rows in one task.
  const lists = useCustomLists();
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? [];
  const hasRows = entries.length > 0 && !lists.isPending;
  const news = useNewEntryCount(filters, entries[0]?.id).data ?? 0;
  const isFiltered = [...parameters.keys()].length > 0;
  const isWrongFilter = ['q', 'source', 'country', 'network'].some((name) => fieldError(log.error, name) !== null);
  const count = useLogCount(filters, log.hasNextPage).data;
  const open = parameters.get('open');
  const setOpen = (id: string | null) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (id === null) next.delete('open');
        else next.set('open', id);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <LogFilterBar problem={log.error} entries={entries} gateId={gateId} />
      {log.error && !isWrongFilter && (
        <Problem error={log.error} what="The log" shownSince={log.dataUpdatedAt} onRetry={() => void log.refetch()} />
      )}
      {/* In its place from the start, so that the table does not move. */}
      {(log.isPending || entries.length > 0) && (
        <div className={styles.found}>
          <span role="status">
            {log.isPending
              ? 'Loading the newest decisions'
              : log.hasNextPage
                ? `The newest ${count ? `${grouped(entries.length)} of ${countText(count)} decisions` : counted(entries.length, 'decision')}`
                : `${counted(entries.length, 'decision')} found`}
          </span>
          <LabelFilter filters={filters} />
          <LogExport filters={filters} />
        </div>
      )}
      {log.data?.pages.some(({ meta }) => meta.entries_missing) && (
        <p role="status" className={styles.missing}>
          Decisions are missing here: part of the log is damaged and was skipped. <code>signalpost doctor</code> says
          what to do.
        </p>
      )}
      <div className={styles.bench} data-open={open !== null || undefined}>
        <Card flush>
          {news > 0 && (
            <button
              type="button"
              className={styles.news}
              onClick={() => {
                setSince(Date.now());
                void log.refetch();
              }}
            >
              {news >= maxNewEntries ? `${maxNewEntries} and more` : news} new
            </button>
          )}
          {(log.isPending || (entries.length > 0 && !hasRows)) && !log.error && <Loading what="The log" lines={12} />}
          {hasRows && <LogTable entries={entries} isOneGate={gateId !== undefined} chosen={open} onOpen={setOpen} />}
          {log.data && entries.length === 0 && <LogEmpty isFiltered={isFiltered} />}
        </Card>
        {open !== null && <DecisionPanel id={open} onClose={() => setOpen(null)} />}
      </div>
      {log.hasNextPage && hasRows && (
        <div className={styles.more}>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older decisions
          </Button>
        </div>
      )}
    </>
  );
}

/** How many decisions match; the service counts a bounded number. */
function countText({ count, complete }: { readonly count: number; readonly complete: boolean }): string {
  return complete ? grouped(count) : `more than ${grouped(count)}`;
}
