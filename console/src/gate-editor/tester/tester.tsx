import { useState } from 'react';
import { useBacktest } from '../../api/gate.ts';
import { grouped } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import type { Draft } from '../draft.ts';
import { RuleOutcome } from './outcome.tsx';
import styles from './tester.module.css';
import type { Trying } from './trying.ts';

/** An address to try the draft on: what it would say, and what becomes of each rule. */
export function Tester({ draft, trying }: { draft: Draft; trying: Trying }) {
  const { tried, setTried, trace, isBehind, error } = trying;
  return (
    <Card title="Try it">
      <div className={styles.tester}>
        <Field label="Email address or domain">
          <Input
            mono
            type="search"
            value={tried.subject}
            placeholder="jane@gmail.com"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => setTried({ ...tried, subject: target.value })}
          />
        </Field>
        <Field label="IP address" hint="May be left out. Trying costs no credit.">
          <Input
            mono
            value={tried.ip}
            placeholder="203.0.113.7"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTried({ ...tried, ip: target.value })}
          />
        </Field>
        <div className={styles.answer} data-behind={isBehind || undefined} aria-live="polite">
          {error ? <p className={styles.problem}>{whatToDo(error)}</p> : null}
          {!error && trace === null && (
            <p className={styles.soft}>Type an address to see what this draft says about it, and why.</p>
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
                      <span className={styles.name}>{rule.name || 'Rule without a name'}</span>
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

/** What the draft would have decided in the last week, when somebody asks. */
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
              ? 'Nothing is logged yet, so there is nothing to try it on.'
              : `${grouped(data.changed)} of ${grouped(data.evaluated)} decisions would change.`}
          </p>
        )}
        {isAsked && error !== null && <p className={styles.problem}>{whatToDo(error)}</p>}
        {!isAsked && <p className={styles.soft}>Would this draft have decided otherwise?</p>}
        {!(isAsked && data !== undefined) && (
          <Button busy={isFetching} onClick={() => setAsked(draft.now)}>
            Run it
          </Button>
        )}
      </div>
    </Card>
  );
}
