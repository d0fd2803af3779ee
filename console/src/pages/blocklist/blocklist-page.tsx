import { useDeferredValue } from 'react';
import { useSearchParams } from 'wouter';
import { type Entry, useBlocklist, useBlocklistSearch } from '../../api/blocklist.ts';
import { useEnvironment } from '../../api/environment.ts';
import { counted } from '../../text/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { AddDomains } from './add-domains.tsx';
import styles from './blocklist.module.css';
import { BlocklistTable } from './blocklist-table.tsx';
import { ExportButton } from './export-button.tsx';

/** The account's own list of domains: search, bulk add, remove with undo, export. */
export function BlocklistPage() {
  const environment = useEnvironment();
  const [parameters, setParameters] = useSearchParams();
  const q = useDeferredValue(parameters.get('q') ?? '');
  const isAdding = parameters.has('add');
  const setAdding = (isOpen: boolean) => setParameters(isOpen ? { add: '' } : {}, { replace: true });
  const all = useBlocklist();
  const found = useBlocklistSearch(q);
  const total = all.data?.pages[0]?.meta.total;
  const entries: readonly Entry[] =
    q === '' ? (all.data?.pages.flatMap(({ data }) => data) ?? []) : (found.data?.data ?? []);
  const current = q === '' ? all : found;
  return (
    <Page
      title="Blocklist"
      lead={
        total === undefined
          ? `Your own list of domains, for ${environment} only.`
          : `${counted(total, 'domain')} on your own list, for ${environment} only.`
      }
      actions={
        <>
          <ExportButton isEmpty={total === 0} />
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            Add domains
          </Button>
        </>
      }
    >
      <div className={styles.search}>
        <Field label="Find a domain" hideLabel>
          <Input
            mono
            type="search"
            data-search=""
            autoComplete="off"
            spellCheck={false}
            placeholder="Find a domain"
            value={parameters.get('q') ?? ''}
            onChange={({ target }) => setParameters(target.value === '' ? {} : { q: target.value }, { replace: true })}
          />
        </Field>
      </div>
      {current.error && (
        <Problem
          error={current.error}
          what="The blocklist"
          shownSince={current.dataUpdatedAt}
          onRetry={() => void current.refetch()}
        />
      )}
      <Card flush>
        {current.isLoading && <Loading what="The blocklist" lines={10} />}
        {entries.length > 0 && <BlocklistTable entries={entries} />}
        {q !== '' && found.data && entries.length === 0 && <Empty>No listed domain contains “{q}”.</Empty>}
        {q === '' && total === 0 && <Nothing onAdd={() => setAdding(true)} />}
      </Card>
      {q !== '' && found.data && !found.data.meta.complete && (
        <p className={styles.note}>The list is very long: only the start of each domain was searched.</p>
      )}
      {q === '' && all.hasNextPage && (
        <div className={styles.more}>
          <Button busy={all.isFetchingNextPage} onClick={() => void all.fetchNextPage()}>
            More
          </Button>
        </div>
      )}
      {isAdding && <AddDomains initial={parameters.get('add') ?? ''} onClose={() => setAdding(false)} />}
    </Page>
  );
}

const sample: readonly Entry[] = [
  { domain: 'competitor.example', reason: 'A competitor', created_at: new Date(Date.now() - 3_600_000).toISOString() },
  { domain: 'spammers.example', reason: 'Spam', created_at: new Date(Date.now() - 86_400_000).toISOString() },
];

function Nothing({ onAdd }: { onAdd: () => void }) {
  return (
    <Empty
      sample={<BlocklistTable entries={sample} />}
      action={
        <Button kind="primary" onClick={onAdd}>
          Add domains
        </Button>
      }
    >
      Add domains that you want to block: lookups show them as <code>blocklisted</code>, and a gate can block them.
    </Empty>
  );
}
