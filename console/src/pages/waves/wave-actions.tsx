import { useState } from 'react';
import { useLocation } from 'wouter';
import { useImport } from '../../api/blocklist.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import {
  useJudgeWave,
  useReportWave,
  useUndoReport,
  useWaveRule,
  type Wave,
  type WaveWithSamples,
} from '../../api/waves.ts';
import { AddToList } from '../../custom-lists/add-to-list.tsx';
import { allowedCsv } from '../../text/log-csv.ts';
import { counted, grouped } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Field, Select } from '../../ui/field.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './waves.module.css';

/** The verdict on a wave, with undo. */
export function Verdict({ wave }: { wave: Wave }) {
  const judge = useJudgeWave(wave.id);
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
        busy={judge.isPending}
        disabled={wave.verdict === 'attack'}
        onClick={() => say('attack', 'Marked as an attack')}
      >
        This is an attack
      </Button>
      <Button
        icon="check"
        busy={judge.isPending}
        disabled={wave.verdict === 'fine'}
        onClick={() => say('fine', `${wave.value} raises no wave for 30 days`)}
      >
        This is fine
      </Button>
      {wave.verdict === 'attack' && wave.allow > 0 && <ReportAllowed wave={wave} />}
      {wave.kind === 'domain' && <BlockDomain domain={wave.value} />}
      {wave.kind === 'domain' && <AddToList values={{ domain: wave.value }} />}
      {wave.kind === 'network' && <AddToList values={{ ip: wave.value }} />}
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

/** Opens the editor of a gate with the rule of a wave as a draft. */
export function UseRule({ wave }: { wave: WaveWithSamples }) {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  const gates = useGates().data ?? [];
  const rule = useWaveRule(wave.id);
  const [chosen, setChosen] = useState('');
  const attacked = gates.find(({ id }) => id === rule.data?.gate_id) ?? gates[0];
  const gateId = chosen || attacked?.id;
  if (gateId === undefined) return <p className={styles.soft}>Create a gate to use the rule.</p>;
  return (
    <form
      className={styles.use}
      onSubmit={(event) => {
        event.preventDefault();
        navigate(`/${environment}/gates/${gateId}?wave=${wave.id}`);
      }}
    >
      {gates.length > 1 && (
        <Field label="Gate" hideLabel>
          <Select value={gateId} disabled={rule.isPending} onChange={({ target }) => setChosen(target.value)}>
            {gates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Button kind="primary" icon="plus" type="submit" busy={rule.isPending}>
        Draft this rule{gates.length === 1 ? ` in ${gates[0]?.name}` : ''}
      </Button>
    </form>
  );
}
