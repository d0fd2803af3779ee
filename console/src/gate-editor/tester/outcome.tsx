import type { TracedCondition, TracedRule } from '../../api/trace.ts';
import { valueText } from '../../text/conditions.ts';
import { reasonText } from '../../text/reasons.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Tone, ToneIcon } from '../../ui/pill.tsx';
import type { Action } from '../gate.ts';
import styles from './outcome.module.css';

const outcomes: Readonly<Record<TracedRule['outcome'], readonly [tone: Tone | 'action', text: string]>> = {
  decided: ['action', 'decides'],
  overruled: ['plain', 'matches, a later rule wins'],
  matched_shadow: ['shadow', 'would match'],
  not_matched: ['plain', 'does not match'],
  unknown: ['unknown', 'not known'],
  not_reached: ['plain', 'not reached'],
  disabled: ['plain', 'switched off'],
  invalid: ['challenge', 'not finished'],
};

/** What becomes of a rule for the address that is tried. */
export function RuleOutcome({ outcome, action }: { outcome: TracedRule['outcome']; action: Action }) {
  const [tone, text] = outcomes[outcome];
  return (
    <span className={styles.outcome} data-soft={tone === 'plain' || undefined}>
      <ToneIcon tone={tone === 'action' ? action : tone} />
      {text}
    </span>
  );
}

/** What becomes of a condition: holds, does not and why, or cannot be said and why. */
export function ConditionOutcome({ traced: { holds, value, reason } }: { traced: TracedCondition }) {
  if (holds === null) {
    return (
      <span className={styles.outcome}>
        <ToneIcon tone="unknown" />
        not known: {reasonText(reason)}
      </span>
    );
  }
  const seen = value === null ? reasonText(reason) : valueText(value);
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
