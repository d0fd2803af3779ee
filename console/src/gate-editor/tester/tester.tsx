import { useState } from 'react';
import { useBacktest } from '../../api/gate.ts';
import { grouped } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import type { Draft } from '../draft.ts';
import type { DraftTest } from './draft-tester.ts';
import { RuleOutcome } from './outcome.tsx';
import styles from './tester.module.css';

/** Tests the draft with an address: its decision, and the outcome of each rule. */
export function Tester({ draft, test }: { draft: Draft; test: DraftTest }) {
  const { input, setInput, trace, isBehind, error, isPaused } = test;
  return (
    <Card title="Try it">
      <div className={styles.tester}>
        <Field label="Email address or domain">
          <Input
            mono
            type="search"
            value={input.subject}
            placeholder="jane@gmail.com"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => setInput({ ...input, subject: target.value })}
          />
        </Field>
        <Field label="IP address" hint="Optional. Testing costs no credits.">
          <Input
            mono
            value={input.ip}
            placeholder="203.0.113.7"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setInput({ ...input, ip: target.value })}
          />
        </Field>
        <div className={styles.answer} data-behind={isBehind || undefined} aria-live="polite">
          {error ? <p className={styles.problem}>{whatToDo(error)}</p> : null}
          {isPaused && <p className={styles.soft}>60 tests a minute are free. The next one runs shortly.</p>}
          {!error && trace === null && (
            <p className={styles.soft}>Enter an address to see what this draft decides, and why.</p>
          )}
          {!error && trace !== null && (
            <>
              <p className={styles.verdict}>
                <ActionPill action={trace.action} />
                {trace.matched_rule === null ? 'no rule matched' : `by “${trace.matched_rule.name}”`}
              </p>
              <ol className={styles.rules}>
                {draft.now.rules.map((rule, place) => {
                  const traced = trace.rules[place];
                  return (
                    <li key={rule.key}>
                      <span className={styles.name}>{rule.name || 'Unnamed rule'}</span>
                      {traced && <RuleOutcome outcome={traced.outcome} action={rule.action} />}
                    </li>
                  );
                })}
              </ol>
            </>
          )}
        </div>
      </div>
    </Card>
  );
}

/** Backtests the draft over the last week, on request. */
export function QuickBacktest({ gateId, draft }: { gateId: string; draft: Draft }) {
  const [asked, setAsked] = useState<Draft['now'] | null>(null);
  const isAsked = asked === draft.now;
  const { data, error, isFetching } = useBacktest(gateId, draft.now, 7, isAsked);
  return (
    <Card title="Backtest, 7 days">
      <div className={styles.backtest}>
        {isAsked && data !== undefined && (
          <p>
            {data.evaluated === 0
              ? 'No decisions are logged yet, so there is nothing to test.'
              : `The draft decides ${grouped(data.changed)} of ${grouped(data.evaluated)} logged sign-ups differently from the saved rules.`}
          </p>
        )}
        {isAsked && error !== null && <p className={styles.problem}>{whatToDo(error)}</p>}
        {!isAsked && (
          <p className={styles.soft}>Compare the draft with the saved rules on the sign-ups of the last 7 days.</p>
        )}
        {!(isAsked && data !== undefined) && (
          <Button busy={isFetching} onClick={() => setAsked(draft.now)}>
            Run
          </Button>
        )}
      </div>
    </Card>
  );
}
