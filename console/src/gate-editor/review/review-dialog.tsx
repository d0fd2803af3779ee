import { ApiError } from '@signalpost/client';
import { useMutation } from '@tanstack/react-query';
import { useEnvironment } from '../../api/environment.ts';
import { saveGate, useForgetGate } from '../../api/gate.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { changedShadowRules, type Draft, isChanged, newRulesAsShadow, withLive } from '../draft.ts';
import type { Catalogue } from '../gate.ts';
import { RuleWarning } from '../rules/rule-warning.tsx';
import { warningsAt } from '../rules/warnings.ts';
import { DifferenceList } from './difference-list.tsx';
import { differences } from './differences.ts';
import styles from './review-dialog.module.css';
import { WouldHaveDone } from './would-have-done.tsx';

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

/** Reviews a draft: its differences and a backtest. Every saved change passes here. */
export function ReviewDialog({ gateId, draft, catalogue, change, onClose, onSaved, onConflict }: Properties) {
  const environment = useEnvironment();
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
  const trial = shadowTrial(draft);
  const hasNewLiveRules = draft.now.rules.some(({ id, mode, enabled }) => id === null && mode === 'live' && enabled);
  return (
    <Dialog title="Review and save" wide onClose={onClose}>
      <section className={styles.part} aria-label="What changes">
        <h3>What changes</h3>
        <DifferenceList differences={differences(draft.base, draft.now, catalogue)} />
        <ChangedRuleWarnings draft={draft} catalogue={catalogue} change={change} />
      </section>
      <WouldHaveDone title="What it would have done" gateId={gateId} rules={draft.now} />
      {trial && <WouldHaveDone title={trial.title} gateId={gateId} rules={trial.rules} />}
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

/** The draft with its new and changed shadow rules live: in shadow they decide nothing, so a backtest would show no effect. */
function shadowTrial(draft: Draft) {
  const rules = changedShadowRules(draft);
  const [first] = rules;
  if (first === undefined) return null;
  const title = rules.length === 1 ? `If “${first.name}” were live` : `If the ${rules.length} shadow rules were live`;
  return { title, rules: withLive(draft.now, rules) };
}

/** The warnings about new and changed rules; the editor shows them, too, but a rule may be closed there. */
function ChangedRuleWarnings({ draft, catalogue, change }: Pick<Properties, 'draft' | 'catalogue' | 'change'>) {
  return draft.now.rules.flatMap((rule, place) =>
    isChanged(draft, rule)
      ? warningsAt(draft.now, place, catalogue).map((warning) => (
          <RuleWarning
            key={`${rule.key} ${warning.text}`}
            warning={warning}
            rule={rule.key}
            name={rule.name}
            change={change}
          />
        ))
      : [],
  );
}
