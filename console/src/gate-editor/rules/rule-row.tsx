import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RuleHealth } from '../../api/gate.ts';
import { ruleText } from '../../text/conditions.ts';
import { grouped } from '../../text/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ActionPill, Pill } from '../../ui/pill.tsx';
import type { Draft, DraftRule } from '../draft.ts';
import type { Catalogue, Rule } from '../gate.ts';
import { ruleEffect } from '../review/differences.ts';
import { healthTexts } from './health.ts';
import styles from './rule-row.module.css';
import warningStyles from './rule-warning.module.css';
import { RuleWarning } from './rule-warning.tsx';
import { Sparkline } from './sparkline.tsx';
import type { RuleCounts, Warning } from './warnings.ts';

interface Properties {
  readonly rule: DraftRule;
  readonly grip: ReactNode;
  readonly catalogue: Catalogue;
  readonly counts: RuleCounts;
  /** Undefined for a new rule, and until it is loaded. */
  readonly health: RuleHealth | undefined;
  readonly warnings: readonly Warning[];
  readonly isWrong: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onChange: (change: Partial<Rule>) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
  readonly onStep: (step: -1 | 1) => void;
  readonly onGoLive: () => void;
  /** The page of the log with the matches of seven days. */
  readonly matches: string;
  readonly change: (next: (draft: Draft) => Draft) => void;
}

/** A list of values is written out on hover up to this length. */
const valuesOnHover = 50;

/** A rule as a sentence, with its matches, action and warnings. */
export function RuleRow(properties: Properties) {
  const { rule, grip, catalogue, counts, health, isWrong, isOpen, onToggle, onChange } = properties;
  const record = healthTexts(rule, health);
  const warnings = [...properties.warnings, ...record.warnings];
  const matchCount = countOf(rule, counts);
  const name = rule.name.trim() === '' ? 'Unnamed rule' : rule.name;
  return (
    <div className={styles.row} data-off={!rule.enabled || undefined}>
      {grip}
      <button
        type="button"
        className={styles.open}
        aria-expanded={isOpen}
        data-rule={rule.key}
        title={`${name}: ${ruleEffect(rule)} when ${ruleText(rule, catalogue, valuesOnHover)}.`}
        onClick={onToggle}
      >
        <span className={styles.name}>{name}</span>
        <span className={styles.sentence}>{ruleText(rule, catalogue)}</span>
      </button>
      <div className={styles.marks}>
        {isWrong && (
          <span className={styles.wrong}>
            <Icon name="warning" />
            needs attention
          </span>
        )}
      </div>
      <span className={styles.count}>
        {health && <Sparkline days={health.days} />}
        {matchCount === undefined ? (
          rule.id === null && 'new'
        ) : (
          <Link href={properties.matches} title="Matches in the last 7 days, live or in shadow">
            {grouped(matchCount)} in 7 d
          </Link>
        )}
      </span>
      <span className={styles.pills}>
        <ActionPill action={rule.action} />
        {rule.mode === 'shadow' && <Pill tone="shadow">shadow</Pill>}
        {rule.stop && rule.mode === 'live' && <Pill tone="plain">final</Pill>}
        {!rule.enabled && <Pill tone="plain">off</Pill>}
      </span>
      <Menu label={`More for ${name}`}>
        <MenuItem onChoose={() => properties.onStep(-1)}>Move up</MenuItem>
        <MenuItem onChoose={() => properties.onStep(1)}>Move down</MenuItem>
        <MenuItem onChoose={properties.onCopy}>Duplicate</MenuItem>
        <MenuItem onChoose={() => onChange({ enabled: !rule.enabled })}>{rule.enabled ? 'Disable' : 'Enable'}</MenuItem>
        <MenuItem onChoose={properties.onRemove}>Remove</MenuItem>
      </Menu>
      {record.notes.length > 0 && <p className={styles.notes}>{record.notes.join(' · ')}</p>}
      {record.shadow !== null && (
        <p className={warningStyles.warning}>
          <Icon name="warning" />
          <span>{record.shadow}</span>
          <Button onClick={properties.onGoLive}>Go live?</Button>
        </p>
      )}
      {warnings.map((warning) => (
        <RuleWarning key={warning.text} warning={warning} rule={rule.key} change={properties.change} />
      ))}
    </div>
  );
}

function countOf({ id }: Rule, counts: RuleCounts): number | undefined {
  const seen = counts.get(id ?? '');
  return seen && seen.live + seen.shadow;
}
