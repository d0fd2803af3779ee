import { Suspense } from 'react';
import type { TracedCondition } from '../../api/trace.ts';
import { fieldText } from '../../text/conditions.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/chunk.ts';
import { Field, Input, Select } from '../../ui/field.tsx';
import { type Catalogue, type Condition, fieldAt, operatorNamed } from '../gate.ts';
import { ConditionOutcome } from '../tester/outcome.tsx';
import styles from './condition-form.module.css';
import { conditionOn, conditionWith } from './condition-value.ts';
import { ListFromValues } from './list-from-values.tsx';
import { ValueInput } from './value-input.tsx';

/** Loads the field picker; the editor does so when it opens, so that no user types into the placeholder. */
export const loadFieldPicker = async () => (await import('./field-picker.tsx')).FieldPicker;

const FieldPicker = lazyPart(loadFieldPicker);

interface Properties {
  readonly place: number;
  readonly condition: Condition;
  readonly catalogue: Catalogue;
  readonly traced: TracedCondition | undefined;
  readonly testedValue: (path: string) => unknown;
  /** The service's error text for `field`, `operator` or `value`. */
  readonly problem: (part: string) => string | null;
  /** The size of a pattern, and its limit. */
  readonly patternSize: { readonly size: number; readonly limit: number } | undefined;
  readonly onChange: (condition: Condition) => void;
  /** Null for the only condition: a rule has at least one. */
  readonly onRemove: (() => void) | null;
}

/** One condition: field, operator, value, and its outcome for the tested address. */
export function ConditionForm(properties: Properties) {
  const { place, condition, catalogue, traced, testedValue, problem, patternSize, onChange, onRemove } = properties;
  const field = fieldAt(catalogue.fields, condition.field);
  const operator = operatorNamed(catalogue, condition.operator);
  const takesValue = operator?.value.kind !== 'none';
  const number = `Condition ${place + 1}`;
  const operators = field?.operators ?? [condition.operator];
  const error = problem('value') ?? problem('operator') ?? problem('field') ?? problem('');
  return (
    <div className={styles.condition}>
      <div className={styles.parts}>
        <div className={styles.field}>
          <Suspense
            fallback={
              <Input aria-label={`${number}: field`} readOnly value={fieldText(condition.field, catalogue.fields)} />
            }
          >
            <FieldPicker
              label={`${number}: field`}
              fields={catalogue.fields}
              value={condition.field}
              testedValue={testedValue}
              isInvalid={problem('field') !== null}
              onChange={(path) => onChange(conditionOn(path, condition, catalogue))}
            />
          </Suspense>
        </div>
        <div className={styles.operator}>
          <Select
            aria-label={`${number}: operator`}
            value={condition.operator}
            onChange={({ target }) => onChange(conditionWith(target.value, condition, catalogue))}
          >
            {operators.map((name) => (
              <option key={name} value={name}>
                {operatorNamed(catalogue, name)?.label ?? name}
              </option>
            ))}
          </Select>
        </div>
        <div className={styles.value}>
          {takesValue && (
            <Field label={`${number}: value`} hideLabel error={error}>
              <ValueInput
                key={`${condition.field} ${condition.operator}`}
                field={field}
                operator={operator}
                lists={catalogue.lists ?? []}
                value={condition.value}
                onChange={(value) => onChange({ ...condition, value })}
              />
            </Field>
          )}
          <ListFromValues condition={condition} field={field} onChange={onChange} />
          {!takesValue && error !== null && (
            <p className={styles.error} role="alert">
              {error}
            </p>
          )}
        </div>
        <div className={styles.remove}>
          <Button
            kind="quiet"
            icon="cross"
            aria-label={`Remove condition ${place + 1}`}
            disabled={onRemove === null}
            onClick={() => onRemove?.()}
          />
        </div>
      </div>
      <p className={styles.notes}>
        {traced && <ConditionOutcome traced={traced} />}
        {patternSize && (
          <span className={styles.size}>
            pattern {patternSize.size} of {patternSize.limit}
          </span>
        )}
      </p>
    </div>
  );
}
