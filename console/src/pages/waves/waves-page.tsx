import { useState } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useWaveSettings, useWaves, type Wave } from '../../api/waves.ts';
import { grouped } from '../../text/numbers.ts';
import { gotIn, kindNames } from '../../text/waves.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Middle } from '../../ui/middle.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { WaveSettingsDialog } from './wave-settings.tsx';
import { WaveState } from './wave-state.tsx';
import styles from './waves.module.css';

/** The waves of this environment, newest first. */
export function WavesPage() {
  const environment = useEnvironment();
  const waves = useWaves();
  const settings = useWaveSettings();
  const [isEditing, setEditing] = useState(false);
  return (
    <Page
      title="Waves"
      lead="Sign-ups that arrive together and share a value, far beyond what chance and the time of day explain."
      actions={
        <Button icon="settings" disabled={settings.data === undefined} onClick={() => setEditing(true)}>
          Settings
        </Button>
      }
    >
      {waves.error && (
        <Problem
          error={waves.error}
          what="The waves"
          shownSince={waves.dataUpdatedAt}
          onRetry={() => void waves.refetch()}
        />
      )}
      {settings.data?.enabled === false && (
        <p className={styles.soft}>Waves are not detected in {environment}. Switch it on in the settings.</p>
      )}
      <Card title={`Waves in ${environment}`} flush>
        {waves.isPending && !waves.error && <Loading what="The waves" lines={4} />}
        {waves.data && waves.data.length > 0 && <WaveTable waves={waves.data} />}
        {waves.data?.length === 0 && (
          <Empty sample={<WaveTable waves={[sample]} />}>
            No wave yet. One appears here within a minute of the address that completes it.
          </Empty>
        )}
      </Card>
      {isEditing && settings.data && <WaveSettingsDialog settings={settings.data} onClose={() => setEditing(false)} />}
    </Page>
  );
}

function WaveTable({ waves }: { waves: readonly Wave[] }) {
  const environment = useEnvironment();
  const columns: readonly Column<Wave>[] = [
    {
      title: 'Shared by its addresses',
      isWide: true,
      cell: ({ id, kind, value }) => (
        <>
          <Link href={`/${environment}/waves/${id}`} className={styles.value} data-row-link="">
            <Middle text={value} />
          </Link>
          <span className={styles.below}>{kindNames[kind]}</span>
        </>
      ),
    },
    { title: 'Addresses', isNumber: true, cell: ({ addresses }) => grouped(addresses) },
    { title: 'Result', priority: 2, cell: (wave) => gotIn(wave) },
    { title: 'Began', priority: 2, cell: ({ began_at }) => <Ago at={began_at} /> },
    { title: 'State', cell: (wave) => <WaveState wave={wave} /> },
  ];
  return <Table label="Waves" columns={columns} rows={waves} keyOf={({ id }) => id} />;
}

const sample: Wave = {
  id: 'sample',
  kind: 'domain',
  value: 'throwaway.example',
  slow: false,
  stopped: false,
  state: 'ended',
  began_at: '2026-11-15T00:20:00+00:00',
  last_at: '2026-11-15T00:50:00+00:00',
  ended_at: '2026-11-15T01:50:00+00:00',
  addresses: 60,
  confirmed_bad: 0,
  confirmed_good: 0,
  domains: 1,
  ips: 12,
  allow: 7,
  block: 53,
  challenge: 0,
  usual_per_hour: 0,
  verdict: 'attack',
  created_at: '2026-11-15T00:21:00+00:00',
};
