import type { ConditionField, ConditionOperator, CustomList } from '@signalpost/client';
import { useId, useState } from 'react';
import { counted, grouped } from '../../text/numbers.ts';
import { Input, Select, TextArea } from '../../ui/field.tsx';
import { ListValue } from './list-value.tsx';
import styles from './value-input.module.css';

interface Properties {
  readonly field: ConditionField | undefined;
  readonly operator: ConditionOperator | undefined;
  readonly lists: readonly CustomList[];
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** The input for a condition's value, as its field and the shape of its operator's value require; placed in a `Field`. */
export function ValueInput({ field, operator, lists, value, onChange }: Properties) {
  const { kind, pattern = false, max_items, min_length = 0 } = operator?.value ?? { kind: 'one' };
  const chosen = { value, onChange };
  if (kind === 'none') return null;
  if (kind === 'custom_list') return <ListValue field={field} lists={lists} {...chosen} />;
  if (kind === 'range') return <Range field={field} {...chosen} />;
  if (field?.values !== undefined && kind === 'list') return <Several values={field.values} {...chosen} />;
  if (kind === 'list') return <ManyLines isNumber={field?.type === 'integer'} most={max_items} {...chosen} />;
  if (field?.type === 'boolean') return <YesNo {...chosen} />;
  if (field?.type === 'integer') return <Whole field={field} {...chosen} />;
  // An operator that takes a part of a text cannot offer whole values.
  if (field?.values !== undefined && !pattern && min_length === 0) return <OneOf values={field.values} {...chosen} />;
  return (
    <Input
      mono
      value={typeof value === 'string' ? value : ''}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      placeholder={pattern ? String.raw`\d{5,}$` : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface Chosen {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function YesNo({ value, onChange }: Chosen) {
  return (
    <Select value={String(value)} onChange={({ target }) => onChange(target.value === 'true')}>
      <option value="true">yes</option>
      <option value="false">no</option>
    </Select>
  );
}

function OneOf({ values, value, onChange }: Chosen & { readonly values: readonly (string | number)[] }) {
  const known = values.some((one) => one === value);
  return (
    <Select
      value={String(value ?? '')}
      onChange={({ target }) => onChange(values.find((one) => String(one) === target.value) ?? target.value)}
    >
      {!known && <option value={String(value ?? '')}>{String(value ?? '') || 'choose…'}</option>}
      {values.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </Select>
  );
}

function Several({ values, value, onChange }: Chosen & { readonly values: readonly (string | number)[] }) {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const id = useId();
  return (
    <div className={styles.several}>
      {values.map((one) => (
        <label key={one} htmlFor={`${id}-${one}`} className={styles.choice}>
          <input
            id={`${id}-${one}`}
            type="checkbox"
            checked={chosen.includes(one)}
            onChange={({ target }) =>
              onChange(values.filter((other) => (other === one ? target.checked : chosen.includes(other))))
            }
          />
          {one}
        </label>
      ))}
    </div>
  );
}

function Whole({ field, value, onChange }: Chosen & { readonly field: ConditionField }) {
  return (
    <div className={styles.whole}>
      <NumberInput field={field} value={value} onChange={onChange} />
      {field.unit !== undefined && <span>{field.unit}</span>}
    </div>
  );
}

function Range({ field, value, onChange }: Chosen & { readonly field: ConditionField | undefined }) {
  const [low, high]: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div className={styles.whole}>
      <NumberInput field={field} value={low} onChange={(next) => onChange([next, high ?? null])} />
      <span>and</span>
      <NumberInput field={field} value={high} label="Upper bound" onChange={(next) => onChange([low ?? null, next])} />
      {field?.unit !== undefined && <span>{field.unit}</span>}
    </div>
  );
}

interface NumberProperties extends Chosen {
  readonly field: ConditionField | undefined;
  readonly label?: string;
}

function NumberInput({ field, value, label, onChange }: NumberProperties) {
  return (
    <Input
      type="number"
      inputMode="numeric"
      step={1}
      min={field?.minimum}
      max={field?.maximum}
      {...(label === undefined ? {} : { id: undefined, 'aria-label': label })}
      value={typeof value === 'number' ? value : ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    />
  );
}

interface Lines extends Chosen {
  readonly isNumber: boolean;
  readonly most: number | undefined;
}

/** One value per line; a pasted column works too. */
function ManyLines({ isNumber, most, value, onChange }: Lines) {
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  const [text, setText] = useState(values.join('\n'));
  const change = (next: string) => {
    setText(next);
    const lines = next.split(/[\n,;\t]+/).map((line) => line.trim());
    const given = [...new Set(lines.filter((line) => line !== ''))];
    onChange(isNumber ? given.map((line) => (/^-?\d+$/.test(line) ? Number(line) : line)) : given);
  };
  return (
    <>
      <TextArea
        mono
        rows={Math.min(8, Math.max(2, values.length))}
        value={text}
        spellCheck={false}
        placeholder="one per line, or paste a column"
        onChange={({ target }) => change(target.value)}
      />
      <span className={styles.count}>
        {counted(values.length, 'value')}
        {most !== undefined && `, at most ${grouped(most)}`}
      </span>
    </>
  );
}
