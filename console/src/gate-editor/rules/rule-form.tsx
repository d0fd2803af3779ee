import { useId, useState } from 'react';
import type { TracedRule } from '../../api/trace.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Field, Input, Select, TextArea } from '../../ui/field.tsx';
import { blankRule, type DraftRule } from '../draft.ts';
import { type Action, actions, type Catalogue, type Condition, type Rule } from '../gate.ts';
import type { DraftTest } from '../tester/draft-tester.ts';
import { ConditionForm } from './condition-form.tsx';
import styles from './rule-form.module.css';
import { readRuleJson, ruleJson } from './rule-json.ts';

interface Properties {
  readonly place: number;
  readonly rule: DraftRule;
  readonly catalogue: Catalogue;
  readonly traced: TracedRule | undefined;
  readonly test: DraftTest;
  readonly problem: (path: string) => string | null;
  readonly onChange: (change: Partial<Rule>) => void;
}

/** The editor of one rule, as a form or as JSON. */
export function RuleForm(properties: Properties) {
  const [view, setView] = useState<'Form' | 'JSON'>('Form');
  return (
    <div className={styles.form}>
      <div className={styles.view}>
        <Choice label="Shown as" choices={['Form', 'JSON']} value={view} onChange={setView} />
      </div>
      {view === 'Form' ? <FormView {...properties} /> : <JsonView {...properties} />}
    </div>
  );
}

function FormView({ place, rule, catalogue, traced, test, problem, onChange }: Properties) {
  const changeCondition = (at: number, condition: Condition) =>
    onChange({ conditions: rule.conditions.with(at, condition) });
  return (
    <>
      <div className={styles.head}>
        <Field label="Name" error={problem('name')}>
          <Input value={rule.name} maxLength={120} onChange={({ target }) => onChange({ name: target.value })} />
        </Field>
        <Field label="Then" error={problem('action')}>
          <Select value={rule.action} onChange={({ target }) => onChange({ action: target.value as Action })}>
            {actions.map((action) => (
              <option key={action}>{action}</option>
            ))}
          </Select>
        </Field>
        <Field label="Mode">
          <Select value={rule.mode} onChange={({ target }) => onChange({ mode: target.value as Rule['mode'] })}>
            <option value="live">live: it decides</option>
            <option value="shadow">shadow: it only counts</option>
          </Select>
        </Field>
      </div>
      <div className={styles.flags}>
        <Flag label="Final: no rule below overrides it" isOn={rule.stop} onChange={(stop) => onChange({ stop })} />
        <Flag label="Enabled" isOn={rule.enabled} onChange={(enabled) => onChange({ enabled })} />
      </div>
      <fieldset className={styles.conditions}>
        <legend className={styles.legend}>
          When
          {rule.conditions.length > 1 ? (
            <select
              className={styles.match}
              aria-label="How many conditions must hold"
              value={rule.match}
              onChange={({ target }) => onChange({ match: target.value as Rule['match'] })}
            >
              <option value="all">all of these hold</option>
              <option value="any">any of these holds</option>
            </select>
          ) : (
            <span>this holds</span>
          )}
        </legend>
        {[...rule.conditions.entries()].map(([at, condition]) => (
          <ConditionForm
            key={at}
            place={at}
            condition={condition}
            catalogue={catalogue}
            traced={traced?.conditions[at]}
            testedValue={test.valueOf}
            problem={(part) => problem(part === '' ? `conditions.${at}` : `conditions.${at}.${part}`)}
            patternSize={test.patterns.find((pattern) => pattern.rule === place && pattern.condition === at)}
            onChange={(next) => changeCondition(at, next)}
            onRemove={
              rule.conditions.length === 1 ? null : () => onChange({ conditions: rule.conditions.toSpliced(at, 1) })
            }
          />
        ))}
        <div>
          <Button
            kind="quiet"
            icon="plus"
            disabled={rule.conditions.length >= 50}
            onClick={() => onChange({ conditions: [...rule.conditions, ...blankRule.conditions] })}
          >
            Condition
          </Button>
        </div>
      </fieldset>
      <div className={styles.texts}>
        <Field
          label="Message to the visitor"
          hint="Returned with the decision, for your form."
          error={problem('message')}
        >
          <Input
            value={rule.message ?? ''}
            maxLength={500}
            onChange={({ target }) => onChange({ message: target.value === '' ? null : target.value })}
          />
        </Field>
        <Field label="Note for colleagues" error={problem('description')}>
          <Input
            value={rule.description ?? ''}
            maxLength={500}
            onChange={({ target }) => onChange({ description: target.value === '' ? null : target.value })}
          />
        </Field>
      </div>
    </>
  );
}

function Flag({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId();
  return (
    <label htmlFor={id} className={styles.flag}>
      <input id={id} type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}

function JsonView({ rule, problem, onChange }: Properties) {
  const [text, setText] = useState(() => ruleJson(rule));
  const read = readRuleJson(text, rule);
  const objection = 'problem' in read ? read.problem : (problem('') ?? null);
  return (
    <Field label="The rule as JSON" error={objection} hint="Changes apply as soon as the text is a complete rule.">
      <TextArea
        mono
        rows={Math.min(24, text.split('\n').length + 1)}
        value={text}
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value);
          const next = readRuleJson(target.value, rule);
          if ('rule' in next) onChange(next.rule);
        }}
      />
    </Field>
  );
}
