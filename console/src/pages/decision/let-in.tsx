import { useMutation, useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../../api/environment.ts';
import {
  revisionQuery,
  saveGate,
  useBacktest,
  useForgetGate,
  useTraceOfDecision,
  type WholeRevision,
} from '../../api/gate.ts';
import { addableOf, type DecisionDetail } from '../../api/log.ts';
import { addException, changeRule, draftOf } from '../../gate-editor/draft.ts';
import type { GateRules } from '../../gate-editor/gate.ts';
import { rulesOf } from '../../gate-editor/use-draft.ts';
import { admittedText } from '../../text/admitted.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './let-in.module.css';

/** The days that a change is tested on. */
const days = 30;

interface Change {
  readonly title: string;
  readonly button: string;
  readonly now: GateRules;
}

/** The smallest changes that allow the subject of a decision, each with what it would have admitted; one more click applies it. */
export function LetIn({ decision }: { decision: DecisionDetail }) {
  const environment = useEnvironment();
  const gateId = decision.gate.id;
  const gate = useQuery(revisionQuery(environment, gateId, 'current'));
  const saved = gate.data && rulesOf(gate.data);
  const isAllowed = useTraceOfDecision(gateId, decision.id, saved).data?.action === 'allow';
  const forget = useForgetGate();
  const save = useMutation({
    mutationFn: ({ revision, now }: { revision: number; now: GateRules; done: () => void }) =>
      saveGate(environment, gateId, revision, now),
    onSuccess: async (_rules, { done }) => {
      done();
      await forget(environment, gateId);
    },
    onError: (error) => problemToast(`Nothing was changed. ${whatToDo(error)}`),
  });
  const apply = ({ title, now }: Change, { revision, ...before }: WholeRevision) => {
    const undo = () =>
      save.mutate({
        revision: revision + 1,
        now: rulesOf({ revision, ...before }),
        done: () => toast('The earlier rules are restored.'),
      });
    save.mutate({ revision, now, done: () => toast(`Saved: ${title}.`, { label: 'Undo', run: undo }) });
  };
  return (
    <Card title="The smallest change that lets them in">
      {gate.error && <Problem error={gate.error} what="The gate" onRetry={() => void gate.refetch()} />}
      {gate.isPending && <Loading what="The gate" lines={6} />}
      {gate.data && (
        <>
          <p className={styles.soft}>
            Compared with the saved rules of “{gate.data.name}” on the decisions of the last {days} days.
          </p>
          {isAllowed && <p>The saved rules allow them already: the next attempt passes.</p>}
          <ul className={styles.choices}>
            {(isAllowed ? [] : changesOf(decision, gate.data)).map((change) => (
              <li key={change.title}>
                <Choice
                  decision={decision}
                  change={change}
                  isBusy={save.isPending}
                  onApply={() => apply(change, gate.data)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** By address, by domain, and by the rule that decided; an exception comes first and is final. */
function changesOf(decision: DecisionDetail, gate: WholeRevision): Change[] {
  const draft = draftOf(gate.revision, rulesOf(gate));
  const { email, domain } = addableOf(decision);
  const ruleId = decision.decision.matched_rule?.id;
  const rule = gate.rules.find(({ id, mode, enabled }) => id === ruleId && mode === 'live' && enabled);
  const exception = (subject: string, button: string): Change => ({
    title: `Always allow ${subject}`,
    button,
    now: addException(draft, subject).draft.now,
  });
  return [
    ...(email ? [exception(email, 'Allow this address')] : []),
    ...(domain ? [exception(domain, 'Allow this domain')] : []),
    ...(rule
      ? [
          {
            title: `Put “${rule.name}” into shadow mode`,
            button: 'Stop this rule',
            now: changeRule(draft, rule.id, { mode: 'shadow' }).now,
          },
        ]
      : []),
  ];
}

interface ChoiceProperties {
  readonly decision: DecisionDetail;
  readonly change: Change;
  readonly isBusy: boolean;
  readonly onApply: () => void;
}

function Choice({ decision, change, isBusy, onApply }: ChoiceProperties) {
  const backtest = useBacktest(decision.gate.id, change.now, days, true);
  const traced = useTraceOfDecision(decision.gate.id, decision.id, change.now);
  const error = backtest.error ?? traced.error;
  const action = traced.data?.action;
  return (
    <>
      <div>
        <p>{change.title}</p>
        <p className={styles.soft} role="status">
          {error && whatToDo(error)}
          {!error && !(backtest.data && action) && 'Testing…'}
          {!error && backtest.data && action && admittedText(backtest.data, action === 'allow' ? null : action)}
        </p>
      </div>
      <Button busy={isBusy} disabled={action !== 'allow' || !backtest.data} onClick={onApply}>
        {change.button}
      </Button>
    </>
  );
}
