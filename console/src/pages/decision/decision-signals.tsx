import { Fragment } from 'react';
import { useFields } from '../../api/gates.ts';
import type { SignalValues } from '../../api/trace.ts';
import { fieldText, valueText } from '../../text/conditions.ts';
import styles from './decision.module.css';
import { flatSignals } from './flat-signals.ts';

interface Properties {
  readonly then: SignalValues;
  /** What is known now, once somebody has asked. */
  readonly now: SignalValues | undefined;
}

/** Everything the gate saw, as it was; with "now different" where it has changed since. */
export function DecisionSignals({ then, now }: Properties) {
  const fields = useFields().data;
  const today = now && new Map(flatSignals(now));
  return (
    <dl className={styles.signals}>
      {flatSignals(then).map(([path, value]) => {
        const changed = today !== undefined && JSON.stringify(today.get(path)) !== JSON.stringify(value);
        return (
          <Fragment key={path}>
            <dt title={path}>{fieldText(path, fields)}</dt>
            <dd data-unknown={value === null || undefined}>
              {valueText(value)}
              {changed && <span className={styles.different}> now {valueText(today.get(path))}</span>}
            </dd>
          </Fragment>
        );
      })}
    </dl>
  );
}
