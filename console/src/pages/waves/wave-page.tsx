import { NotFoundError } from '@signalpost/client';
import { Link, useParams } from 'wouter';
import { useCatalogue } from '../../api/catalogue.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useWave, useWaveTimeline, type WaveWithSamples } from '../../api/waves.ts';
import { counted } from '../../text/numbers.ts';
import { confirmedText, gotIn, sharedText, sizeText, stateText, usualText } from '../../text/waves.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Middle } from '../../ui/middle.tsx';
import { Page } from '../../ui/page.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { NotFoundPage } from '../not-found.tsx';
import { Verdict } from './wave-actions.tsx';
import { WaveChart } from './wave-chart.tsx';
import { WaveRule } from './wave-rule.tsx';
import { toneOf, WaveState } from './wave-state.tsx';
import styles from './waves.module.css';

/** One wave: how many got in, what they share, how it went, and the rule against it. */
export function WavePage() {
  const { waveId = '' } = useParams<{ waveId: string }>();
  const wave = useWave(waveId);
  const timeline = useWaveTimeline(waveId);
  // The names of its fields: the rule would wrap again when they arrive.
  const catalogue = useCatalogue();
  if (wave.error instanceof NotFoundError) return <NotFoundPage what="This wave" />;
  if (wave.data === undefined || timeline.isPending || catalogue.isPending) {
    return (
      <Page title="Wave">
        {wave.error ? (
          <Problem error={wave.error} what="The wave" onRetry={() => void wave.refetch()} />
        ) : (
          <Skeleton what="The wave">
            <Skeleton.Box height={132} />
            <Skeleton.Card lines={12} />
            <Skeleton.Card lines={4} />
            <Skeleton.Card lines={10} />
          </Skeleton>
        )}
      </Page>
    );
  }
  return (
    <Page title="Wave" documentTitle={`${wave.data.value} · Wave`}>
      <Head wave={wave.data} />
      {timeline.data && timeline.data.bars.length > 0 && (
        <Card title={timeline.data.interval_seconds === 60 ? 'Minute by minute' : 'How it went'}>
          <WaveChart
            timeline={timeline.data}
            isSlow={wave.data.slow}
            waveId={waveId}
            rules={wave.data.stopped_by.map(({ since, rule }) => ({ at: since, name: rule?.name ?? 'default action' }))}
          />
        </Card>
      )}
      {timeline.error && <Problem error={timeline.error} what="The chart" onRetry={() => void timeline.refetch()} />}
      <WaveRule wave={wave.data} />
      <Verdict wave={wave.data} />
      <Samples wave={wave.data} />
    </Page>
  );
}

function Head({ wave }: { wave: WaveWithSamples }) {
  const confirmed = confirmedText(wave);
  return (
    <section className={styles.head} data-tone={toneOf(wave)} aria-label="The wave">
      <p className={styles.verdict}>{stateText(wave)}</p>
      <p className={styles.sentence}>
        {sizeText(wave)}, all {sharedText(wave)}. {usualText(wave)}
      </p>
      <p className={styles.sentence}>{wave.about.text}</p>
      <p className={styles.meta}>
        <WaveState wave={wave} />
        {(wave.verdict === 'fine' || wave.stopped) && <span>{gotIn(wave)}</span>}
        {confirmed && <span>{confirmed}</span>}
        <span>
          began <Ago at={wave.began_at} />
        </span>
        {wave.ended_at ? (
          <span>
            ended <Ago at={wave.ended_at} />
          </span>
        ) : (
          <span>
            last address <Ago at={wave.last_at} />
          </span>
        )}
      </p>
    </section>
  );
}

type Sample = WaveWithSamples['samples'][number];

function Samples({ wave }: { wave: WaveWithSamples }) {
  const environment = useEnvironment();
  const columns: readonly Column<Sample>[] = [
    {
      title: 'Address',
      isWide: true,
      cell: ({ decision_id, email }) => (
        <Link href={`/${environment}/log/${decision_id}`} className={styles.value} data-row-link="">
          <Middle text={email} />
        </Link>
      ),
    },
    { title: 'IP address', priority: 2, cell: ({ ip }) => (ip === null ? 'none' : <code>{ip}</code>) },
    { title: 'Action', cell: ({ action }) => <ActionPill action={action as 'allow' | 'block' | 'challenge'} /> },
    { title: 'When', priority: 3, cell: ({ created_at }) => <Ago at={created_at} /> },
  ];
  const all = wave.allow + wave.challenge + wave.block;
  return (
    <Card
      title="Its sign-ups"
      aside={
        wave.samples.length > 0 && (
          <ButtonLink kind="quiet" icon="log" href={`/${environment}/log?wave_id=${wave.id}`}>
            All {counted(all, 'sign-up')} in the log
          </ButtonLink>
        )
      }
      flush
    >
      {wave.samples.length === 0 ? (
        <p className={styles.note}>The log no longer has its decisions.</p>
      ) : (
        <Table
          label="Samples"
          isCompact
          columns={columns}
          rows={wave.samples}
          keyOf={({ decision_id }) => decision_id}
        />
      )}
    </Card>
  );
}
