import type { BacktestResult } from '../../api/gate.ts';
import { HowToReport } from '../../outcomes/how-to-report.tsx';
import { counted, grouped } from '../../text/numbers.ts';
import { outcomeSentence } from '../../text/outcomes/outcome-shares.ts';
import { Icon } from '../../ui/icon.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import type { GateRules } from '../gate.ts';
import styles from './backtest-report.module.css';
import { ExampleList } from './example-list.tsx';
import { LabelledExamples } from './labelled-examples.tsx';

/** How many examples are shown. */
const maxExamples = 8;

interface Properties {
  readonly gateId: string;
  /** The draft. */
  readonly rules: GateRules;
  readonly days: number;
  readonly backtest: BacktestResult;
}

/** The result of a backtest: how many logged sign-ups the draft decides differently, how, and some examples. */
export function BacktestReport({ gateId, rules, days, backtest }: Properties) {
  const { evaluated, complete, changed, changes, examples } = backtest;
  if (evaluated === 0) {
    return <p className={styles.soft}>No decisions are logged in this period, so the draft cannot be tested yet.</p>;
  }
  const freed = changes.filter(({ from, to }) => from === 'block' && to !== 'block');
  const freedCount = freed.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={styles.report}>
      <p>
        {changed === 0
          ? `No decision of the last ${days === 1 ? '24 hours' : `${days} days`} would change (${grouped(evaluated)} checked).`
          : `The draft decides ${grouped(changed)} of ${grouped(evaluated)} logged sign-ups differently from the saved rules.`}
        {!complete && ' Only the newest decisions were tested.'}
      </p>
      {freedCount > 0 && (
        <p className={styles.alarm}>
          <Icon name="warning" />
          {counted(freedCount, 'decision')} that blocked a visitor would let them through.
        </p>
      )}
      <LabelledExamples gateId={gateId} rules={rules} days={days} changes={changes} />
      {changed > 0 && outcomeSentence(changes) === null && <HowToReport className={styles.soft} />}
      {changes.length > 0 && (
        <ul className={styles.changes} aria-label="Changes by action">
          {changes.map(({ from, to, count }) => (
            <li key={`${from} ${to}`}>
              <ActionPill action={from} />
              <Icon name="right" />
              <ActionPill action={to} />
              <span className={styles.count}>{grouped(count)}</span>
            </li>
          ))}
        </ul>
      )}
      {examples.length > 0 && <ExampleList label="Examples" examples={examples.slice(0, maxExamples)} />}
    </div>
  );
}
