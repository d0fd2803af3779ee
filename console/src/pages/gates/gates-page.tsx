import { Link, useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type GateOverview, useGates } from '../../api/gates.ts';
import { authorName } from '../../gate-editor/author.ts';
import { counted } from '../../text/numbers.ts';
import { spanText } from '../../text/ranges.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './gates.module.css';
import { NewGateDialog } from './new-gate-dialog.tsx';

/** The gates of the environment: their decisions, and who changed them last. */
export function GatesPage() {
  const gates = useGates();
  const [parameters, setParameters] = useSearchParams();
  const isAdding = parameters.has('new');
  const setAdding = (isOpen: boolean) => setParameters(isOpen ? { new: '' } : {}, { replace: true });
  return (
    <Page
      title="Gates"
      lead="A gate turns signals into a decision: allow, block or challenge."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          New gate
        </Button>
      }
    >
      {gates.error && <Problem error={gates.error} what="The gates" onRetry={() => void gates.refetch()} />}
      {gates.isPending && (
        <Card>
          <Loading what="The list of gates" lines={4} />
        </Card>
      )}
      {gates.data?.length === 0 && (
        <Card>
          <Empty
            sample={<SampleGate />}
            action={
              <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
                New gate
              </Button>
            }
          >
            There are no gates yet. Create one for your sign-up form: it starts with rules that suit most sites, and you
            can test each rule before it decides.
          </Empty>
        </Card>
      )}
      {gates.data !== undefined && gates.data.length > 0 && (
        <Card flush>
          <GateTable gates={gates.data} />
        </Card>
      )}
      {isAdding && !gates.isPending && (
        <NewGateDialog names={gates.data?.map(({ name }) => name) ?? []} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
}

function GateTable({ gates }: { gates: readonly GateOverview[] }) {
  const environment = useEnvironment();
  return (
    <Table
      label="Gates"
      rows={gates}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Gate',
          isWide: true,
          cell: ({ id, name, description, rules_count }) => (
            <span className={styles.gate}>
              <Link href={`/${environment}/gates/${id}`}>{name}</Link>
              <span className={styles.soft}>{description ?? counted(rules_count, 'rule')}</span>
            </span>
          ),
        },
        {
          title: 'If no rule matches',
          priority: 2,
          cell: ({ default_action }) => <ActionPill action={default_action} />,
        },
        {
          title: '7 days',
          cell: ({ id, counts }) => (
            <span className={styles.week}>
              <ActionBar counts={counts} />
              <Link href={`/${environment}/log?gate_id=${id}&range=7d`} className={styles.soft} title={spanText('7d')}>
                {counted(counts.allow + counts.block + counts.challenge, 'decision')}
              </Link>
            </span>
          ),
        },
        {
          title: 'Last change',
          priority: 2,
          cell: ({ last_change }) => (
            <span className={styles.gate}>
              <Ago at={last_change.changed_at} />
              <span className={styles.soft}>{authorName(last_change.changed_by)}</span>
            </span>
          ),
        },
      ]}
    />
  );
}

function SampleGate() {
  const sampleTime = new Date().toISOString();
  const sample: GateOverview = {
    id: '',
    name: 'Sign-up',
    description: null,
    default_action: 'allow',
    rules_count: 6,
    revision: 1,
    wait: [],
    created_at: sampleTime,
    updated_at: sampleTime,
    last_change: {
      revision: 1,
      changed_at: sampleTime,
      changed_by: { kind: 'user', id: '', name: 'jane@example.com' },
    },
    counts: { allow: 8114, challenge: 231, block: 487 },
  };
  return <GateTable gates={[sample]} />;
}
