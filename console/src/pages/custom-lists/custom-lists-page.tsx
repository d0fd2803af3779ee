import { Link, useLocation, useSearchParams } from 'wouter';
import { type CustomList, useCustomLists } from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';
import { kindNames } from '../../text/custom-lists.ts';
import { grouped } from '../../text/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './custom-lists.module.css';
import { ListForm } from './list-form.tsx';

/** The account's own lists of this environment. */
export function CustomListsPage() {
  const environment = useEnvironment();
  const lists = useCustomLists();
  const [, navigate] = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const setCreating = (isNew: boolean) => setParameters(isNew ? { new: '' } : {}, { replace: true });
  const make = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      New list
    </Button>
  );
  return (
    <Page
      title="Your lists"
      lead="Named lists of this environment for use in rules, with notes and expiry."
      actions={make}
    >
      {lists.error && (
        <Problem
          error={lists.error}
          what="Your lists"
          shownSince={lists.dataUpdatedAt}
          onRetry={() => void lists.refetch()}
        />
      )}
      <Card title={`Lists of ${environment}`} flush>
        {lists.isPending && !lists.error && <Loading what="Your lists" lines={3} />}
        {lists.data && lists.data.length > 0 && <ListTable lists={lists.data} />}
        {lists.data?.length === 0 && (
          <Empty sample={<ListTable lists={sample} />} action={make}>
            Keep customers that must never be blocked, or networks that you distrust, on a list that rules refer to.
          </Empty>
        )}
      </Card>
      {parameters.has('new') && (
        <ListForm
          list={null}
          onDone={({ id }) => navigate(`/${environment}/custom-lists/${id}`)}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}

function ListTable({ lists }: { lists: readonly CustomList[] }) {
  const environment = useEnvironment();
  const columns: readonly Column<CustomList>[] = [
    {
      title: 'Name',
      isWide: true,
      cell: ({ id, name, description }) => (
        <>
          <Link href={`/${environment}/custom-lists/${id}`} data-row-link="">
            {name}
          </Link>
          {description && <div className={styles.note}>{description}</div>}
        </>
      ),
    },
    { title: 'Kind', priority: 2, cell: ({ kind }) => kindNames[kind] },
    { title: 'Entries', isNumber: true, cell: ({ entries_count }) => grouped(entries_count) },
    { title: 'Changed', isNumber: true, priority: 3, cell: ({ updated_at }) => <Ago at={updated_at} /> },
  ];
  return <Table label="Your lists" columns={columns} rows={lists} keyOf={({ id }) => id} />;
}

const times = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
const sample: readonly CustomList[] = [
  { id: 'a', name: 'Customers', kind: 'email', description: 'Never block', entries_count: 312, ...times },
  { id: 'b', name: 'Distrusted networks', kind: 'ip', description: null, entries_count: 14, ...times },
];
