import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { useSuggestions } from '../api/gate.ts';
import { ruleText } from '../text/conditions.ts';
import { counted } from '../text/numbers.ts';
import { whatToDo } from '../text/problems.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { toast } from '../ui/toast.tsx';
import { addRule, blankRule, type Draft, hasSameConditions } from './draft.ts';
import type { Catalogue, Rule } from './gate.ts';
import styles from './suggestions.module.css';

interface Properties {
  readonly gateId: string;
  readonly draft: Draft;
  readonly catalogue: Catalogue;
  readonly change: (next: (draft: Draft) => Draft) => void;
}

/** Rules derived from reported outcomes, on request or by `?suggest` in the URL; an accepted one is added to the draft in shadow mode. */
export function Suggestions({ gateId, draft: { now }, catalogue, change }: Properties) {
  const environment = useEnvironment();
  const [parameters] = useSearchParams();
  const [isWanted, setWanted] = useState(parameters.has('suggest'));
  const suggest = useSuggestions(gateId, isWanted);
  const isAdded = (rule: Pick<Rule, 'match' | 'conditions'>) => now.rules.some((own) => hasSameConditions(own, rule));
  const offered = suggest.data?.filter(({ rule }) => !isAdded({ ...blankRule, ...rule }));
  const accept = (rule: Partial<Rule>) => {
    change((draft) => addRule(draft, { ...blankRule, ...rule, mode: 'shadow' }).draft);
    toast('The rule was added to the draft in shadow mode.');
  };
  return (
    <Card title="Suggested rules">
      <div className={styles.suggestions}>
        {suggest.data === undefined && !suggest.error && (
          <p className={styles.soft}>
            Rules that would have stopped bad sign-ups, derived from the{' '}
            <a href="/docs/outcomes">outcomes you report</a>.
          </p>
        )}
        {suggest.error && <p className={styles.soft}>{whatToDo(suggest.error)}</p>}
        {suggest.data?.length === 0 && (
          <p>No rule would have stopped enough bad sign-ups without stopping good ones.</p>
        )}
        {suggest.data && suggest.data.length > 0 && offered?.length === 0 && (
          <p className={styles.soft}>This gate has every rule that the outcomes suggest.</p>
        )}
        {offered && offered.length > 0 && (
          <ul className={styles.list}>
            {offered.map(({ rule, stops_bad, stops_good, stops_unknown, examples }) => (
              <li key={rule.name}>
                <p>{ruleText(rule, catalogue)}</p>
                <p className={styles.soft}>
                  Would have stopped {counted(stops_bad, 'bad sign-up')}, {stops_good} good and {stops_unknown} without
                  an outcome
                  {examples[0] && (
                    <>
                      , for example <Link href={`/${environment}/log/${examples[0].decision_id}`}>this one</Link>
                    </>
                  )}
                  .
                </p>
                <Button icon="plus" onClick={() => accept(rule)}>
                  Add as shadow rule
                </Button>
              </li>
            ))}
          </ul>
        )}
        {!suggest.data && (
          <Button busy={suggest.isFetching} onClick={() => (isWanted ? void suggest.refetch() : setWanted(true))}>
            Suggest rules
          </Button>
        )}
      </div>
    </Card>
  );
}
