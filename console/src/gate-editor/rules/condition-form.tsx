import type { ConditionField } from '@signalpost/client';
import { lazy, Suspense } from 'react';
import type { TracedCondition } from '../../api/trace.ts';
import { fieldText, operatorText, takesList, takesNoValue } from '../../text/conditions.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { type Condition, type Fields, fieldAt } from '../gate.ts';
import { ConditionOutcome } from '../tester/outcome.tsx';
import styles from './condition-form.module.css';
import { ValueInput } from './value-input.tsx';

/** Fetches the code of the field picker; the editor does so when it opens, so that nobody types into what is about to go. */
export const loadFieldPicker = async () => ({ default: (await import('./field-picker.tsx')).FieldPicker });

const FieldPicker = lazy(loadFieldPicker);

interface Properties {
  readonly place: number;
  readonly condition: Condition;
  readonly fields: Fields;
  readonly traced: TracedCondition | undefined;
  readonly triedValue: (path: string) => unknown;
  /** What the service objects to, by `field`, `operator` or `value`. */
  readonly problem: (part: string) => string | null;
  /** How large a pattern is, and how large it may be. */
  readonly patternSize: { readonly size: number; readonly limit: number } | undefined;
  readonly onChange: (condition: Condition) => void;
  /** Null for the only condition: a rule has at least one. */
  readonly onRemove: (() => void) | null;
}

/** One condition: a field, an operator in words, a value, and what comes of it for the address that is tried. */
export function ConditionForm(properties: Properties) {
  const { place, condition, fields, traced, triedValue, problem, patternSize, onChange, onRemove } = properties;
  const field = fieldAt(fields, condition.field);
  const number = `Condition ${place + 1}`;
  const operators = field?.operators ?? [condition.operator];
  const error = problem('value') ?? problem('operator') ?? problem('field') ?? problem('');
  return (
    <div className={styles.condition}>
      <div className={styles.parts}>
        <div className={styles.field}>
          <Suspense
            fallback={<Input aria-label={`${number}: field`} readOnly value={fieldText(condition.field, fields)} />}
          >
            <FieldPicker
              label={`${number}: field`}
              fields={fields}
              value={condition.field}
              triedValue={triedValue}
              isInvalid={problem('field') !== null}
              onChange={(path) => onChange(suited(condition, fieldAt(fields, path), path))}
            />
          </Suspense>
        </div>
        <div className={styles.operator}>
          <Select
            aria-label={`${number}: operator`}
            value={condition.operator}
            onChange={({ target }) => onChange(withOperator(condition, field, target.value))}
          >
            {operators.map((operator) => (
              <option key={operator} value={operator}>
                {operatorText(operator)}
              </option>
            ))}
          </Select>
        </div>
        <div className={styles.value}>
          {!takesNoValue(condition.operator) && (
            <Field label={`${number}: value`} hideLabel error={error}>
              <ValueInput
                key={`${condition.field} ${condition.operator}`}
                field={field}
                condition={condition}
                onChange={(value) => onChange({ ...condition, value })}
              />
            </Field>
          )}
          {takesNoValue(condition.operator) && error !== null && (
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

/** Another field: the operator stays where the field has it, the value where it still fits. */
function suited(condition: Condition, field: ConditionField | undefined, path: string): Condition {
  const isKept = field?.operators.includes(condition.operator) ?? false;
  const operator = isKept ? condition.operator : (field?.operators[0] ?? condition.operator);
  return withOperator(
    { ...condition, field: path, value: fits(condition.value, field) ? condition.value : undefined },
    field,
    operator,
  );
}

function fits(value: unknown, field: ConditionField | undefined): boolean {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (field?.values !== undefined) return field.values.some((known) => known === one);
  return field?.type === 'integer' ? typeof one === 'number' : typeof one === field?.type;
}

/** Another operator: a list becomes its first value, a value a list of one, as the operator takes it. */
function withOperator(
  { field: path, value }: Condition,
  field: ConditionField | undefined,
  operator: string,
): Condition {
  if (takesNoValue(operator)) return { field: path, operator };
  const one: unknown = (Array.isArray(value) ? value[0] : value) ?? firstValue(field);
  if (operator === 'between')
    return { field: path, operator, value: Array.isArray(value) ? value.slice(0, 2) : [one, one] };
  if (takesList(operator))
    return { field: path, operator, value: Array.isArray(value) ? value : one === '' ? [] : [one] };
  return { field: path, operator, value: one };
}

function firstValue(field: ConditionField | undefined): unknown {
  if (field?.values !== undefined) return field.values[0];
  if (field?.type === 'boolean') return true;
  return field?.type === 'integer' ? (field.minimum ?? 0) : '';
}
