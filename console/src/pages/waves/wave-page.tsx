import { NotFoundError } from '@signalpost/client';
import { Link, useParams } from 'wouter';
import { useCatalogue } from '../../api/catalogue.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useWave, useWaveRule, type WaveWithSamples } from '../../api/waves.ts';
import { ruleText } from '../../text/conditions.ts';
import { counted } from '../../text/numbers.ts';
import { effectText, gotIn, sharedText, sizeText, usualText } from '../../text/waves.ts';
import { Card } from '../../ui/card.tsx';
import { Middle } from '../../ui/middle.tsx';
import { Page } from '../../ui/page.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { NotFoundPage } from '../not-found.tsx';
import { UseRule, Verdict } from './wave-actions.tsx';
import { WaveState } from './wave-state.tsx';
import styles from './waves.module.css';

/** One wave: how many got in, what they share, samples, and the rule against it. */
export function WavePage() {
  const { waveId = '' } = useParams<{ waveId: string }>();
  const wave = useWave(waveId);
  // The names of its fields: the rule would wrap again when they arrive.
  const catalogue = useCatalogue();
  if (wave.error instanceof NotFoundError) return <NotFoundPage what="This wave" />;
  if (wave.data === undefined || catalogue.isPending) {
    return (
      <Page title="Wave">
        {wave.error ? (
          <Problem error={wave.error} what="The wave" onRetry={() => void wave.refetch()} />
        ) : (
          <Skeleton what="The wave">
            <Skeleton.Box height={108} />
            <Skeleton.Box height={32} width="260px" />
            <Skeleton.Card lines={3} />
            <Skeleton.Card lines={10} />
          </Skeleton>
        )}
      </Page>
    );
  }
  return <WaveView key={waveId} wave={wave.data} />;
}

function WaveView({ wave }: { wave: WaveWithSamples }) {
  return (
    <Page title="Wave" documentTitle={`${wave.value} · Wave`}>
      <section className={styles.head} data-open={wave.allow > 0 || undefined} aria-label="The wave">
        <p className={styles.verdict}>{gotIn(wave)}</p>
        <p className={styles.sentence}>
          {sizeText(wave)}, all {sharedText(wave)}. {usualText(wave)}
        </p>
        <p className={styles.meta}>
          <WaveState wave={wave} />
          <span>
            began <Ago at={wave.began_at} />
          </span>
          {wave.ended_at ? (
            <span>
              last address <Ago at={wave.last_at} />
            </span>
          ) : (
            <span>not ended yet</span>
          )}
        </p>
      </section>
      <Verdict wave={wave} />
      <ProposedRule wave={wave} />
      <Samples wave={wave} />
    </Page>
  );
}

function ProposedRule({ wave }: { wave: WaveWithSamples }) {
  const catalogue = useCatalogue().data;
  const { rule } = wave;
  const effect = useWaveRule(wave.id).data;
  if (rule === null) return null;
  return (
    <Card title="The rule that would have stopped it">
      <p className={styles.rule}>
        <ActionPill action={rule.action} /> <span>if {ruleText(rule, catalogue)}</span>
      </p>
      <p>{effect ? effectText(effect) : 'Counting the decisions that it matches…'}</p>
      <p className={styles.soft}>
        The gate editor opens with the rule as a draft. Its review shows what the rule would have changed over the last
        days before you save it.
      </p>
      <UseRule wave={wave} />
    </Card>
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
  return (
    <Card
      title={`Samples (${wave.samples.length} of ${counted(wave.allow + wave.challenge + wave.block, 'decision')})`}
      flush
    >
      {wave.samples.length === 0 ? (
        <p className={styles.note}>The log has none of its decisions any more.</p>
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
