import { useState } from 'react';
import { useBacktest } from '../../api/gate.ts';
import { Choice } from '../../ui/choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import type { GateRules } from '../gate.ts';
import { BacktestReport } from './backtest-report.tsx';
import styles from './review-dialog.module.css';

interface Properties {
  readonly title: string;
  readonly gateId: string;
  /** The rules that are compared with the saved ones. */
  readonly rules: GateRules;
}

const spans = { '24 hours': 1, '7 days': 7, '30 days': 30 } as const;

/** Rules tested on the logged sign-ups of a span: how many they decide differently, and who those are. */
export function WouldHaveDone({ title, gateId, rules }: Properties) {
  const [span, setSpan] = useState<keyof typeof spans>('7 days');
  const backtest = useBacktest(gateId, rules, spans[span], true);
  return (
    <section className={styles.part} aria-label={title}>
      <div className={styles.head}>
        <h3>{title}</h3>
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
        {backtest.data && <BacktestReport gateId={gateId} rules={rules} days={spans[span]} backtest={backtest.data} />}
      </div>
    </section>
  );
}
