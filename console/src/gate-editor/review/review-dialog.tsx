import { ApiError } from '@signalpost/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '../../api/environment.ts';
import { saveGate, useBacktest, useForgetGate } from '../../api/gate.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Draft, newRulesAsShadow } from '../draft.ts';
import type { Catalogue } from '../gate.ts';
import { RuleWarning } from '../rules/rule-warning.tsx';
import { warningsAt } from '../rules/warnings.ts';
import { BacktestReport } from './backtest-report.tsx';
import { DifferenceList } from './difference-list.tsx';
import { differences } from './differences.ts';
import styles from './review-dialog.module.css';

interface Properties {
  readonly gateId: string;
  readonly draft: Draft;
  readonly catalogue: Catalogue;
  readonly change: (next: (draft: Draft) => Draft) => void;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Another user saved the gate meanwhile. */
  readonly onConflict: () => void;
}

const spans = { '24 hours': 1, '7 days': 7, '30 days': 30 } as const;

/** Reviews a draft: its differences and a backtest. Every saved change passes here. */
export function ReviewDialog({ gateId, draft, catalogue, change, onClose, onSaved, onConflict }: Properties) {
  const environment = useEnvironment();
  const [span, setSpan] = useState<keyof typeof spans>('7 days');
  const backtest = useBacktest(gateId, draft.now, spans[span], true);
  const forget = useForgetGate();
  const save = useMutation({
    mutationFn: (saved: Draft) => saveGate(environment, gateId, saved.revision, saved.now),
    onSuccess: async () => {
      await forget(environment, gateId);
      toast(`Saved. The gate now uses these rules in ${environment}.`);
      onSaved();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) onConflict();
    },
  });
  const hasNewLiveRules = draft.now.rules.some(({ id, mode, enabled }) => id === null && mode === 'live' && enabled);
  return (
    <Dialog title="Review and save" wide onClose={onClose}>
      <section className={styles.part} aria-label="What changes">
        <h3>What changes</h3>
        <DifferenceList differences={differences(draft.base, draft.now, catalogue)} />
        <ChangedRuleWarnings draft={draft} catalogue={catalogue} change={change} />
      </section>
      <section className={styles.part} aria-label="What it would have done">
        <div className={styles.head}>
          <h3>What it would have done</h3>
          <Choice
            label="Over the last"
            choices={Object.keys(spans) as (keyof typeof spans)[]}
            value={span}
            onChange={setSpan}
          />
        </div>
        <div className={styles.report}>
          {backtest.isPending && <Loading what="The backtest" lines={3} />}
          {backtest.error && (
            <Problem error={backtest.error} what="The backtest" onRetry={() => void backtest.refetch()} />
          )}
          {backtest.data && (
            <BacktestReport gateId={gateId} rules={draft.now} days={spans[span]} backtest={backtest.data} />
          )}
        </div>
      </section>
      {save.error && (
        <p className={styles.error} role="alert">
          It was not saved. {whatToDo(save.error)}
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Continue editing</Button>
        {hasNewLiveRules && (
          <Button busy={save.isPending} onClick={() => save.mutate(newRulesAsShadow(draft))}>
            Save new rules as shadow
          </Button>
        )}
        <Button kind="primary" busy={save.isPending} onClick={() => save.mutate(draft)}>
          Save to {environment}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The warnings about new and changed rules; the editor shows them, too, but a rule may be closed there. */
function ChangedRuleWarnings({ draft, catalogue, change }: Pick<Properties, 'draft' | 'catalogue' | 'change'>) {
  const isSaved = (key: string) => {
    const [now, saved] = [draft.now, draft.base].map(({ rules }) => rules.find((rule) => rule.key === key));
    return JSON.stringify(now) === JSON.stringify(saved);
  };
  return draft.now.rules.flatMap(({ key, name }, place) =>
    isSaved(key)
      ? []
      : warningsAt(draft.now, place, catalogue).map((warning) => (
          <RuleWarning key={`${key} ${warning.text}`} warning={warning} rule={key} name={name} change={change} />
        )),
  );
}
