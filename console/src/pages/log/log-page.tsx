import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type LogFilters, maxNewEntries, useLog, useNewEntryCount } from '../../api/log.ts';
import { actions } from '../../gate-editor/gate.ts';
import { fieldError } from '../../text/problems.ts';
import { beginOf } from '../../text/ranges.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import styles from './log.module.css';
import { LogEmpty } from './log-empty.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { LogTable } from './log-table.tsx';

/** The decisions of all gates, newest first; the URL holds the filters. */
export function LogPage() {
  const environment = useEnvironment();
  const [parameters] = useSearchParams();
  const [since, setSince] = useState(() => Date.now());
  const filters = filtersOf(parameters, since);
  const log = useLog(filters);
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? [];
  const news = useNewEntryCount(filters, entries[0]?.id).data ?? 0;
  const isFiltered = [...parameters.keys()].length > 0;
  const wrongSearch = fieldError(log.error, 'q');
  return (
    <Page isWide title="Log" lead={`Every decision of every gate in ${environment}.`}>
      <LogFilterBar error={wrongSearch} entries={entries} />
      {log.error && !wrongSearch && (
        <Problem error={log.error} what="The log" shownSince={log.dataUpdatedAt} onRetry={() => void log.refetch()} />
      )}
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
        {log.isPending && !log.error && <Loading what="The log" lines={12} />}
        {entries.length > 0 && <LogTable entries={entries} />}
        {log.data && entries.length === 0 && <LogEmpty isFiltered={isFiltered} />}
      </Card>
      {log.hasNextPage && (
        <div className={styles.more}>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Older decisions
          </Button>
        </div>
      )}
    </Page>
  );
}

function filtersOf(parameters: URLSearchParams, now: number): LogFilters {
  const given = (name: string) => parameters.get(name) || undefined;
  return {
    q: given('q'),
    gate_id: given('gate_id'),
    action: actions.find((action) => action === given('action')),
    rule_id: given('rule_id'),
    from: beginOf(parameters.get('range'), now) ?? given('from'),
    to: given('to'),
  };
}
