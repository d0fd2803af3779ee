import type { ConditionField } from '@signalpost/client';
import { Fragment, useState } from 'react';
import { useCatalogue } from '../../api/catalogue.ts';
import type { SignalValues } from '../../api/trace.ts';
import { isUnknown, valueText } from '../../text/conditions.ts';
import { listsBehind, type Naming } from '../../text/named-by.ts';
import { Field, Input } from '../../ui/field.tsx';
import styles from './decision.module.css';
import { flatSignals } from './flat-signals.ts';
import { NamingList } from './naming-list.tsx';

interface Properties {
  readonly then: SignalValues;
  /** The current signals, once the user has requested them. */
  readonly now: SignalValues | undefined;
  /** The lists that named the domain then; null where they were not logged. */
  readonly namedBy: readonly Naming[] | null;
}

const subjects = { email: 'Address', domain: 'Domain', ip: 'IP address', traffic: 'Traffic' } as const;

type Row = readonly [path: string, value: unknown];

/** The signals that the gate saw, with the current value where it differs: outstanding ones first, all of them folded. */
export function DecisionSignals({ then, now, namedBy }: Properties) {
  const fields = useCatalogue().data?.fields ?? [];
  const [filter, setFilter] = useState('');
  const all: readonly Row[] = flatSignals(then);
  const today = now && new Map(flatSignals(now));
  const outstanding = all.filter(
    ([path, value]) => standsOut(path, value) || (today !== undefined && isDifferent(path, today.get(path), value)),
  );
  const wanted = filter.trim().toLowerCase();
  const found = all.filter(([path]) => `${path} ${labelOf(path, fields)}`.toLowerCase().includes(wanted));
  const list = (rows: readonly Row[]) => <SignalList rows={rows} fields={fields} today={today} namedBy={namedBy} />;
  return (
    <>
      {outstanding.length === 0 ? <p className={styles.meta}>Nothing stands out.</p> : list(outstanding)}
      <h3 className={styles.subjectTitle}>Lists at that time</h3>
      <NamingList namedBy={namedBy} domain={then.domain.name} isDisposable={then.domain.disposable === true} />
      <details className={styles.all}>
        <summary>All {all.length} signals</summary>
        <Field label="Filter signals" hideLabel>
          <Input
            type="search"
            placeholder="Filter signals"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
        </Field>
        {Object.entries(subjects).map(([subject, title]) => {
          const rows = found.filter(([path]) => path.startsWith(`${subject}.`));
          if (rows.length === 0) return null;
          return (
            <Fragment key={subject}>
              <h3 className={styles.subjectTitle}>{title}</h3>
              {list(rows)}
            </Fragment>
          );
        })}
      </details>
    </>
  );
}

interface ListProperties extends Pick<Properties, 'namedBy'> {
  readonly rows: readonly Row[];
  readonly fields: readonly ConditionField[];
  readonly today: ReadonlyMap<string, unknown> | undefined;
}

function SignalList({ rows, fields, today, namedBy }: ListProperties) {
  return (
    <dl className={styles.signals}>
      {rows.map(([path, value]) => (
        <Fragment key={path}>
          <dt title={path}>{labelOf(path, fields)}</dt>
          <dd data-unknown={isUnknown(value, path) || undefined}>
            {valueText(value, path)} {typeof value === 'number' && fieldOf(path, fields)?.unit}
            <Lists text={listsBehind(path, value, namedBy)} />
            {today && isDifferent(path, today.get(path), value) && (
              <span className={styles.different}>now {valueText(today.get(path), path)}</span>
            )}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Lists({ text }: { text: string | null }) {
  return text && <span className={styles.lists}>{text}</span>;
}

/** Whether a signal comes first: a suspicious value does, one that is usual for a mail service does not. */
function standsOut(path: string, value: unknown): boolean {
  if (path === 'domain.mx') return value === false;
  if (path === 'domain.age_days') return typeof value === 'number' && value < 90;
  if (path === 'domain.did_you_mean') return value !== null;
  return value === true && path !== 'domain.public_domain';
}

/** Whether a value changed; that a domain has grown older is no change. */
function isDifferent(path: string, now: unknown, then: unknown): boolean {
  if (path === 'domain.age_days' && typeof now === 'number' && typeof then === 'number') return now < then;
  return JSON.stringify(now) !== JSON.stringify(then);
}

/** The catalogue's field for a path; a list is there by the property that conditions compare. */
const fieldOf = (path: string, fields: readonly ConditionField[]) =>
  fields.find((one) => one.path === path || one.path.startsWith(`${path}.*`));

const labelOf = (path: string, fields: readonly ConditionField[]) =>
  fieldOf(path, fields)?.label ?? path.split('.').slice(1).join(' ').replaceAll('_', ' ');
