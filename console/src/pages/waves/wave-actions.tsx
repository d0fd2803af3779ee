import { useImport } from '../../api/blocklist.ts';
import { useJudgeWave, useReportWave, useUndoReport, type Wave } from '../../api/waves.ts';
import { AddToList } from '../../custom-lists/add-to-list.tsx';
import { allowedCsv } from '../../text/log-csv.ts';
import { counted, grouped } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './waves.module.css';

/** The verdict on a wave, with undo. */
export function Verdict({ wave }: { wave: Wave }) {
  const judge = useJudgeWave(wave.id);
  const isSaying = (verdict: Wave['verdict']) => judge.isPending && judge.variables === verdict;
  const say = (verdict: Wave['verdict'], done: string) => {
    const before = wave.verdict;
    judge.mutate(verdict, {
      onSuccess: () => toast(done, { label: 'Undo', run: () => judge.mutate(before) }),
    });
  };
  return (
    <div className={styles.actions}>
      <Button
        icon="barred"
        busy={isSaying('attack')}
        disabled={wave.verdict === 'attack'}
        onClick={() => say('attack', 'Marked as an attack')}
      >
        This is an attack
      </Button>
      <Button
        icon="check"
        busy={isSaying('fine')}
        disabled={wave.verdict === 'fine'}
        onClick={() => say('fine', `${wave.value} raises no wave for 30 days`)}
      >
        This is fine
      </Button>
      {wave.verdict === 'attack' && wave.allow > 0 && <ReportAllowed wave={wave} />}
      {wave.kind === 'domain' && <BlockDomain domain={wave.value} />}
      {wave.kind === 'domain' && <AddToList values={{ domain: wave.value }} />}
      {wave.kind === 'network' && !wave.value.startsWith('AS') && <AddToList values={{ ip: wave.value }} />}
      {judge.error && (
        <p className={styles.error} role="alert">
          {whatToDo(judge.error)}
        </p>
      )}
    </div>
  );
}

/** Marks every sign-up that got in as bad and downloads them as CSV, in one step; with undo. */
function ReportAllowed({ wave }: { wave: Wave }) {
  const report = useReportWave(wave.id);
  const undo = useUndoReport(wave.id);
  const failed = (error: Error) => problemToast(whatToDo(error));
  return (
    <Button
      icon="thumbDown"
      busy={report.isPending}
      onClick={() =>
        report.mutate(undefined, {
          onSuccess: ({ reported, decisions }) => {
            download(`wave-${wave.id}.csv`, 'text/csv', allowedCsv(decisions));
            toast(`${counted(reported, 'sign-up')} marked as bad, ${grouped(decisions.length)} downloaded`, {
              label: 'Undo',
              run: () => undo.mutate(undefined, { onError: failed }),
            });
          },
          onError: failed,
        })
      }
    >
      Mark all {grouped(wave.allow)} as bad and download them
    </Button>
  );
}

function BlockDomain({ domain }: { domain: string }) {
  const block = useImport();
  return (
    <>
      <Button
        icon="blocklist"
        busy={block.isPending}
        disabled={block.isSuccess}
        onClick={() => block.mutate(domain, { onSuccess: () => toast(`${domain} is on the blocklist`) })}
      >
        {block.isSuccess ? 'On the blocklist' : 'Add to the blocklist'}
      </Button>
      {block.error && (
        <p className={styles.error} role="alert">
          {whatToDo(block.error)}
        </p>
      )}
    </>
  );
}
