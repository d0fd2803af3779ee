import type { ReactNode } from 'react';
import type { RuleHealth } from '../../api/gate.ts';
import { ruleText } from '../../text/conditions.ts';
import { grouped } from '../../text/numbers.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ActionPill, Pill } from '../../ui/pill.tsx';
import type { Draft, DraftRule } from '../draft.ts';
import type { Catalogue, Rule } from '../gate.ts';
import { ruleEffect } from '../review/differences.ts';
import { healthTexts } from './health.ts';
import styles from './rule-row.module.css';
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
  readonly change: (next: (draft: Draft) => Draft) => void;
}

/** A list of values is written out on hover up to this length. */
const valuesOnHover = 50;

/** A rule as a sentence, with its matches, action and warnings. */
export function RuleRow(properties: Properties) {
  const { rule, grip, catalogue, counts, health, isWrong, isOpen, onToggle, onChange } = properties;
  const record = healthTexts(rule, health);
  const warnings = [...properties.warnings, ...record.warnings];
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
        <span title="Matches in the last 7 days">{countText(rule, counts)}</span>
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
      {warnings.map((warning) => (
        <RuleWarning key={warning.text} warning={warning} rule={rule.key} change={properties.change} />
      ))}
    </div>
  );
}

function countText({ id, mode }: Rule, counts: RuleCounts): string {
  if (id === null) return 'new';
  const seen = counts.get(id);
  if (seen === undefined) return '';
  return `${grouped(mode === 'shadow' ? seen.shadow : seen.live)} in 7 d`;
}
