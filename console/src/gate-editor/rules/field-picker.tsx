import { Combobox } from '@base-ui/react/combobox';
import type { ConditionField } from '@signalpost/client';
import { useMemo } from 'react';
import { fieldText, valueText } from '../../text/conditions.ts';
import { type Catalogue, fieldAt } from '../gate.ts';
import styles from './field-picker.module.css';

interface Properties {
  readonly label: string;
  readonly fields: Catalogue['fields'];
  readonly value: string;
  /** The field's value for the tested address; undefined without one. */
  readonly testedValue: (path: string) => unknown;
  readonly isInvalid: boolean;
  readonly onChange: (path: string) => void;
}

interface Group {
  readonly value: string;
  readonly items: readonly string[];
  readonly [key: string]: unknown;
}

/** Finds a field by its label, path or description. */
export function FieldPicker({ label, fields, value, testedValue, isInvalid, onChange }: Properties) {
  const groups = useMemo(() => groupsOf(fields), [fields]);
  return (
    <Combobox.Root<string>
      items={groups as Group[]}
      value={value}
      itemToStringLabel={(path) => fieldText(path, fields)}
      filter={(path, query) => isFound(fieldAt(fields, path), query)}
      onValueChange={(path) => {
        if (path !== null) onChange(path);
      }}
      autoHighlight
    >
      <Combobox.InputGroup className={styles.group}>
        <Combobox.Input className={styles.input} aria-label={label} aria-invalid={isInvalid || undefined} />
        <Combobox.Trigger className={styles.trigger} aria-label={`${label}: show all`} tabIndex={-1}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={styles.arrow}>
            <path d="M4 6l4 4 4-4" />
          </svg>
        </Combobox.Trigger>
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner className={styles.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={styles.popup}>
            <Combobox.Empty className={styles.empty}>No field matches.</Combobox.Empty>
            <Combobox.List className={styles.list}>
              {(group: Group) => (
                <Combobox.Group key={group.value} items={group.items}>
                  <Combobox.GroupLabel className={styles.heading}>{group.value}</Combobox.GroupLabel>
                  <Combobox.Collection>
                    {(path: string) => (
                      <Combobox.Item key={path} value={path} className={styles.item}>
                        <Choice field={fieldAt(fields, path)} tried={testedValue(path)} />
                      </Combobox.Item>
                    )}
                  </Combobox.Collection>
                </Combobox.Group>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function Choice({ field, tried }: { field: ConditionField | undefined; tried: unknown }) {
  if (field === undefined) return null;
  return (
    <>
      <span className={styles.label}>{field.label}</span>
      <code className={styles.path}>{field.path}</code>
      <span className={styles.help}>{field.description}</span>
      {tried !== undefined && <span className={styles.tried}>now {valueText(tried)}</span>}
    </>
  );
}

function groupsOf(fields: Catalogue['fields']): Group[] {
  const groups = Map.groupBy(fields, ({ group }) => group);
  return [...groups].map(([value, members]) => ({ value, items: members.map(({ path }) => path) }));
}

function isFound(field: ConditionField | undefined, query: string): boolean {
  if (field === undefined) return false;
  const text = `${field.group} ${field.label} ${field.path} ${field.description}`.toLowerCase();
  const words = query.toLowerCase().split(/[\s·]+/);
  return words.every((word) => text.includes(word));
}
