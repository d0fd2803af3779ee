import { NotFoundError } from '@signalpost/client';
import { useDeferredValue, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { useCatalogue } from '../../api/catalogue.ts';
import {
  type CustomListWithRules,
  useCustomList,
  useEntries,
  useExportEntries,
  useRemoveList,
} from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { entriesCsv, kindNames } from '../../text/custom-lists.ts';
import { counted } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import { NotFoundPage } from '../not-found.tsx';
import { AddEntries } from './add-entries.tsx';
import styles from './custom-lists.module.css';
import { EntryTable, useRemovalWithUndo } from './entry-table.tsx';
import { ListForm } from './list-form.tsx';

/** One list: its entries, and the rules that use it. */
export function CustomListPage() {
  const { listId = '' } = useParams<{ listId: string }>();
  const list = useCustomList(listId);
  // Their line would move the entries.
  const [gates, catalogue] = [useGates(), useCatalogue()];
  if (list.error instanceof NotFoundError) return <NotFoundPage what="This list" />;
  if (list.data && !gates.isPending && !catalogue.isPending) return <ListView key={listId} list={list.data} />;
  return (
    <Page title="List">
      {list.error ? (
        <Problem error={list.error} what="The list" onRetry={() => void list.refetch()} />
      ) : (
        <Skeleton what="The list">
          <Skeleton.Box height={36} width="min(420px, 100%)" />
          <Skeleton.Card lines={8} />
        </Skeleton>
      )}
    </Page>
  );
}

function ListView({ list }: { list: CustomListWithRules }) {
  const [parameters, setParameters] = useSearchParams();
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const setAdding = (isOpen: boolean) => setParameters(isOpen ? { add: '' } : {}, { replace: true });
  const close = () => setOpen(null);
  const take = useExportEntries(list.id);
  const exportCsv = () =>
    take.mutate(undefined, {
      onSuccess: (entries) => download(`${list.name}.csv`, entriesCsv(entries)),
      onError: (error) => problemToast(whatToDo(error)),
    });
  return (
    <Page
      title={list.name}
      documentTitle={`${list.name} · Your lists`}
      lead={`${kindNames[list.kind]}, ${counted(list.entries_count, 'entry', 'entries')}. ${list.description ?? ''}`}
      actions={
        <>
          <Button icon="download" busy={take.isPending} disabled={list.entries_count === 0} onClick={exportCsv}>
            Export
          </Button>
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            Add entries
          </Button>
          <Menu label={`More for ${list.name}`}>
            <MenuItem onChoose={() => setOpen('rename')}>Rename…</MenuItem>
            <MenuItem onChoose={() => setOpen('remove')}>Remove…</MenuItem>
          </Menu>
        </>
      }
    >
      <Uses list={list} />
      <Entries list={list} onAdd={() => setAdding(true)} />
      {parameters.has('add') && <AddEntries list={list} onClose={() => setAdding(false)} />}
      {open === 'rename' && <ListForm list={list} onDone={close} onClose={close} />}
      {open === 'remove' && <RemoveList list={list} onClose={close} />}
    </Page>
  );
}

function Uses({ list: { id: listId, kind, rules } }: { list: CustomListWithRules }) {
  const environment = useEnvironment();
  const gates = useGates().data ?? [];
  const { fields = [] } = useCatalogue().data ?? {};
  const canDraft = gates.length > 0 && fields.some(({ list_kinds }) => list_kinds?.includes(kind));
  if (rules.length === 0)
    return (
      <p className={styles.note}>
        No rule uses this list yet.
        {canDraft && (
          <>
            {' '}
            Draft a rule that allows its entries in{' '}
            {gates.map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <Link href={`/${environment}/gates/${id}?list=${listId}`}>{name}</Link>
              </span>
            ))}
            .
          </>
        )}
      </p>
    );
  return (
    <p className={styles.note}>
      Used by{' '}
      {rules.map(({ gate_id, id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={`/${environment}/gates/${gate_id}`}>{name}</Link>
        </span>
      ))}
    </p>
  );
}

function Entries({ list, onAdd }: { list: CustomListWithRules; onAdd: () => void }) {
  const [parameters, setParameters] = useSearchParams();
  const q = useDeferredValue(parameters.get('q') ?? '');
  const entries = useEntries(list.id, q);
  const removeOne = useRemovalWithUndo(list.id);
  const shown = entries.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <div className={styles.search}>
        <Field label="Find an entry" hideLabel>
          <Input
            mono
            type="search"
            data-search=""
            autoComplete="off"
            spellCheck={false}
            placeholder="Find a value or a note"
            value={parameters.get('q') ?? ''}
            onChange={({ target }) => setParameters(target.value === '' ? {} : { q: target.value }, { replace: true })}
          />
        </Field>
      </div>
      {entries.error && <Problem error={entries.error} what="The entries" onRetry={() => void entries.refetch()} />}
      <Card flush>
        {entries.isLoading && <Loading what="The entries" lines={10} />}
        {shown.length > 0 && <EntryTable entries={shown} onRemove={removeOne} />}
        {entries.data && shown.length === 0 && q !== '' && <Empty>No entry contains “{q}”.</Empty>}
        {entries.data && shown.length === 0 && q === '' && (
          <Empty
            action={
              <Button kind="primary" onClick={onAdd}>
                Add entries
              </Button>
            }
          >
            The list is empty.
          </Empty>
        )}
      </Card>
      {entries.hasNextPage && (
        <div className={styles.more}>
          <Button busy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
            More
          </Button>
        </div>
      )}
    </>
  );
}

function RemoveList({ list, onClose }: { list: CustomListWithRules; onClose: () => void }) {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  const remove = useRemoveList(list.id);
  const run = () =>
    remove.mutate(undefined, {
      onSuccess() {
        toast(`${list.name} was removed`);
        navigate(`/${environment}/custom-lists`);
      },
    });
  return (
    <Dialog title={`Remove ${list.name}?`} onClose={onClose}>
      <div className={styles.form}>
        <p>Its {counted(list.entries_count, 'entry', 'entries')} cannot be restored.</p>
        {remove.error && <p role="alert">{whatToDo(remove.error)}</p>}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={remove.isPending} disabled={list.rules.length > 0} onClick={run}>
            Remove list
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
