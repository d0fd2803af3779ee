import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.ts';
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
import { addToDecidingList } from '../../custom-lists/add-to-deciding-list.ts';
import { type DecidingListName, decidingLists } from '../../custom-lists/deciding-list.ts';
import { addException, changeRule, type Draft, draftOf } from '../../gate-editor/draft.ts';
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
  /** The rules with the effect of the change, for the preview. */
  readonly now: GateRules;
  readonly apply: (gate: WholeRevision) => Promise<Applied>;
}

interface Applied {
  readonly text: string;
  readonly undo: () => Promise<unknown>;
}

/** The smallest changes that allow the subject of a decision, each with the sign-ups it would have admitted; one more click applies it. */
export function LetIn({ decision }: { decision: DecisionDetail }) {
  const environment = useEnvironment();
  const gateId = decision.gate.id;
  const gate = useQuery(revisionQuery(environment, gateId, 'current'));
  const changes = useChanges(decision, gate.data);
  const saved = gate.data && rulesOf(gate.data);
  // A trace is not repeated when only an entry was added: the console may trace 60 times a minute.
  const [isApplied, setApplied] = useState(false);
  const isAllowed = useTraceOfDecision(gateId, decision.id, saved).data?.action === 'allow' || isApplied;
  const forget = useForgetGate();
  const queries = useQueryClient();
  const reload = () =>
    Promise.all([forget(environment, gateId), queries.invalidateQueries({ queryKey: ['custom-lists', environment] })]);
  const onError = (error: Error) => problemToast(`Nothing was changed. ${whatToDo(error)}`);
  const undo = useMutation({
    mutationFn: (applied: Applied) => applied.undo(),
    onSuccess: async () => {
      setApplied(false);
      toast('The change was undone.');
      await reload();
    },
    onError,
  });
  const save = useMutation({
    mutationFn: ({ change, gate: current }: { change: Change; gate: WholeRevision }) => change.apply(current),
    onSuccess: async (applied) => {
      setApplied(true);
      toast(applied.text, { label: 'Undo', run: () => undo.mutate(applied) });
      await reload();
    },
    onError,
  });
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
            {(isAllowed ? [] : changes).map((change) => (
              <li key={change.title}>
                <Choice
                  decision={decision}
                  change={change}
                  isBusy={save.isPending && save.variables.change.title === change.title}
                  onApply={() => save.mutate({ change, gate: gate.data })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** By address and domain, as entries of a list of exceptions, and by the rule that decided. */
function useChanges(decision: DecisionDetail, gate: WholeRevision | undefined): Change[] {
  const environment = useEnvironment();
  const client = useClient();
  const gateId = decision.gate.id;
  if (gate === undefined) return [];
  const draft = draftOf(gate.revision, rulesOf(gate));
  const { email, domain } = addableOf(decision);
  const ruleId = decision.decision.matched_rule?.id;
  const rule = gate.rules.find(({ id, mode, enabled }) => id === ruleId && mode === 'live' && enabled);
  const replaceRules = async (current: WholeRevision, now: GateRules, text: string): Promise<Applied> => {
    await saveGate(environment, gateId, current.revision, now);
    return { text, undo: () => saveGate(environment, gateId, current.revision + 1, rulesOf(current)) };
  };
  const exception = (which: DecidingListName, value: string, button: string): Change => ({
    title: `Add ${value} to the list “${decidingLists[which].name}”`,
    button,
    now: addException(draft, value).draft.now,
    async apply(current) {
      const list = await addToDecidingList({ client, environment, gateId, gate: current }, which, value);
      if (list === null)
        return replaceRules(current, addException(draft, value).draft.now, `Saved: ${value} is allowed`);
      return {
        text: `${value} is on the list “${list.name}”`,
        undo: () => client.lists.entries.remove(list.id, [value]),
      };
    },
  });
  return [
    ...(email ? [exception('customers', email, 'Allow this address')] : []),
    ...(domain ? [exception('customerDomains', domain, 'Allow this domain')] : []),
    ...(rule ? [shadowChange(rule, draft, replaceRules)] : []),
  ];
}

function shadowChange(
  { id, name }: WholeRevision['rules'][number],
  draft: Draft,
  replaceRules: (current: WholeRevision, now: GateRules, text: string) => Promise<Applied>,
): Change {
  const title = `Put “${name}” into shadow mode`;
  const { now } = changeRule(draft, id, { mode: 'shadow' });
  return { title, button: 'Stop this rule', now, apply: (current) => replaceRules(current, now, `Saved: ${title}`) };
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
