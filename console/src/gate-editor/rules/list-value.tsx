import type { ConditionField, CustomList } from '@signalpost/client';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { Select } from '../../ui/field.tsx';
import { fittingLists } from './condition-value.ts';
import styles from './value-input.module.css';

interface Properties {
  readonly field: ConditionField | undefined;
  readonly lists: readonly CustomList[];
  readonly value: unknown;
  readonly onChange: (value: string) => void;
}

/** Chooses a custom list by its name. */
export function ListValue({ field, lists, value, onChange }: Properties) {
  const environment = useEnvironment();
  const fitting = fittingLists(field, lists);
  const isKnown = fitting.some(({ id }) => id === value);
  return (
    <>
      <Select value={isKnown ? String(value) : ''} onChange={({ target }) => onChange(target.value)}>
        {!isKnown && <option value="">choose a list…</option>}
        {fitting.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {fitting.length === 0 && (
        <span className={styles.count}>
          No list fits this field. <Link href={`/${environment}/custom-lists?new=`}>Create one</Link>
        </span>
      )}
    </>
  );
}
