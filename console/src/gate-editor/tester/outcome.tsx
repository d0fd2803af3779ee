import type { TracedCondition, TracedRule } from '../../api/trace.ts';
import { isUnknown, valueText } from '../../text/conditions.ts';
import { reasonText } from '../../text/reasons.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Tone, ToneIcon } from '../../ui/pill.tsx';
import type { Action } from '../gate.ts';
import styles from './outcome.module.css';

const outcomes: Readonly<Record<TracedRule['outcome'], readonly [tone: Tone | 'action', text: string]>> = {
  decided: ['action', 'decides'],
  overruled: ['plain', 'matches, but a later rule decides'],
  matched_shadow: ['shadow', 'would match'],
  not_matched: ['plain', 'does not match'],
  unknown: ['unknown', 'unknown'],
  not_reached: ['plain', 'not reached'],
  disabled: ['plain', 'disabled'],
  invalid: ['challenge', 'incomplete'],
};

/** The outcome of a rule for the tested address. */
export function RuleOutcome({ outcome, action }: { outcome: TracedRule['outcome']; action: Action }) {
  const [tone, text] = outcomes[outcome];
  return (
    <span className={styles.outcome} data-soft={tone === 'plain' || undefined}>
      <ToneIcon tone={tone === 'action' ? action : tone} />
      {text}
    </span>
  );
}

/** The outcome of a condition: it holds, does not hold, or is unknown, and why. */
export function ConditionOutcome({ traced: { field, holds, value, reason } }: { traced: TracedCondition }) {
  if (holds === null) {
    return (
      <span className={styles.outcome}>
        <ToneIcon tone="unknown" />
        unknown: {reasonText(reason)}
      </span>
    );
  }
  const seen = isUnknown(value, field) ? reasonText(reason) : valueText(value, field);
  return (
    <span className={styles.outcome} data-holds={holds}>
      <Icon name={holds ? 'check' : 'cross'} />
      <span>
        {holds ? 'holds' : 'does not hold'}
        <span className={styles.seen}>: {seen}</span>
      </span>
    </span>
  );
}
