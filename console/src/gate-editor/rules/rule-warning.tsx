import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { changeRule, type Draft, moveRule } from '../draft.ts';
import styles from './rule-warning.module.css';
import type { Warning } from './warnings.ts';

interface Properties {
  readonly warning: Warning;
  /** The rule's key in the draft. */
  readonly rule: string;
  /** The rule's name, where the warning is not beside it. */
  readonly name?: string;
  readonly change: (next: (draft: Draft) => Draft) => void;
}

/** A warning about a rule, with a button that resolves it. */
export function RuleWarning({ warning: { text, fix }, rule, name, change }: Properties) {
  const resolve = (draft: Draft): Draft => {
    if (fix === undefined) return draft;
    if ('change' in fix) return changeRule(draft, rule, fix.change);
    const place = draft.now.rules.findIndex(({ key }) => key === rule);
    return moveRule(draft, place, fix.position);
  };
  return (
    <p className={styles.warning}>
      <Icon name="warning" />
      <span>{name === undefined ? text : `“${name}”: ${text}`}</span>
      {fix && <Button onClick={() => change(resolve)}>{fix.label}</Button>}
    </p>
  );
}
