import type { Rule as SavedRule } from '@signalpost/client';
import { useCatalogue } from '../api/catalogue.ts';
import type { GateTrace } from '../api/gate.ts';
import type { Outcome, TracedCondition, TracedRule } from '../api/trace.ts';
import { conditionText, isUnknown, valueText } from '../text/conditions.ts';
import { reasonText } from '../text/reasons.ts';
import type { IconName } from '../ui/icon.tsx';
import { ActionPill, Pill, type Tone, ToneIcon } from '../ui/pill.tsx';
import styles from './trace.module.css';

const outcomes: Readonly<Record<Outcome, string>> = {
  decided: 'decides',
  overruled: 'matched, but a later rule decided',
  matched_shadow: 'would have matched (shadow)',
  not_matched: 'does not match',
  unknown: 'unknown, so it does not match',
  not_reached: 'not reached',
  disabled: 'disabled',
  invalid: 'invalid',
};

/** A rule of the gate: the trace itself does not repeat the values of its conditions. */
export type WrittenRule = Pick<SavedRule, 'id' | 'conditions'>;

/** Why a gate decided as it did, rule by rule. The rule that decided is open. */
export function TraceView({
  trace,
  rules = [],
}: {
  trace: GateTrace;
  rules?: readonly WrittenRule[] | null | undefined;
}) {
  const written = new Map(rules?.map((rule) => [rule.id, rule]));
  // Once for all conditions: each subscription to it takes time.
  const catalogue = useCatalogue().data;
  return (
    <ol className={styles.trace}>
      {trace.rules.map((rule, place) => (
        <TraceRule
          key={rule.id ?? `new ${place}`}
          rule={rule}
          written={written.get(rule.id ?? '')}
          place={place + 1}
          catalogue={catalogue}
        />
      ))}
      {trace.matched_rule === null && (
        <li className={styles.otherwise}>
          <span>No rule matched</span>
          <ActionPill action={trace.action} />
        </li>
      )}
    </ol>
  );
}

function toneOf({ outcome, action }: TracedRule): Tone {
  if (outcome === 'decided') return action ?? 'plain';
  if (outcome === 'matched_shadow') return 'shadow';
  return outcome === 'unknown' ? 'unknown' : 'plain';
}

function markOf(outcome: Outcome): IconName {
  if (outcome === 'matched_shadow') return 'dashed';
  if (outcome === 'not_matched') return 'cross';
  return outcome === 'unknown' ? 'ring' : 'dot';
}

type Catalogue = ReturnType<typeof useCatalogue>['data'];

interface RuleProperties {
  readonly rule: TracedRule;
  readonly written: WrittenRule | undefined;
  readonly place: number;
  readonly catalogue: Catalogue;
}

function TraceRule({ rule, written, place, catalogue }: RuleProperties) {
  const isSkipped = rule.outcome === 'not_reached' || rule.outcome === 'disabled';
  return (
    <li
      className={styles.rule}
      data-skipped={isSkipped || undefined}
      data-decided={rule.outcome === 'decided' || undefined}
    >
      <details open={rule.outcome === 'decided'}>
        <summary className={styles.summary}>
          <span className={styles.place}>{place}</span>
          <span className={styles.name}>{rule.name}</span>
          <span className={styles.outcome}>{outcomes[rule.outcome]}</span>
          {rule.outcome === 'decided' && rule.action !== null ? (
            <ActionPill action={rule.action} />
          ) : (
            <Pill tone={toneOf(rule)} icon={markOf(rule.outcome)}>
              {rule.action}
            </Pill>
          )}
        </summary>
        <ul className={styles.conditions}>
          {rule.conditions.map((condition, index) => {
            const expected = written?.conditions[index]?.value;
            const { field, operator, value } = condition;
            return (
              <Condition
                key={JSON.stringify([field, operator, expected, value])}
                condition={condition}
                expected={expected}
                catalogue={catalogue}
              />
            );
          })}
        </ul>
      </details>
    </li>
  );
}

const holdsTones = { true: 'allow', false: 'plain', null: 'unknown' } as const;
const holdsIcons = { true: 'check', false: 'cross', null: 'ring' } as const;
const holdsWords = { true: 'holds', false: 'does not hold', null: 'unknown' } as const;

interface ConditionProperties {
  readonly condition: TracedCondition;
  readonly expected: unknown;
  readonly catalogue: Catalogue;
}

function Condition({ condition, expected, catalogue }: ConditionProperties) {
  const { field, operator, holds, value, reason } = condition;
  const key = String(holds) as keyof typeof holdsTones;
  return (
    <li className={styles.condition}>
      <ToneIcon tone={holdsTones[key]} size={14} icon={holdsIcons[key]} />
      <span className="visually-hidden">{holdsWords[key]}: </span>
      <span>
        {conditionText({ field, operator, value: expected }, catalogue)}{' '}
        <span className={styles.value}>
          {isUnknown(value, field) ? `(unknown: ${reasonText(reason)})` : `(it was ${valueText(value, field)})`}
        </span>
      </span>
    </li>
  );
}
