import type { ConditionField } from '@signalpost/client';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { useCatalogue } from '../../api/gates.ts';
import type { SignalValues } from '../../api/trace.ts';
import { isUnknown, valueText } from '../../text/conditions.ts';
import styles from './decision.module.css';
import { flatSignals } from './flat-signals.ts';

interface Properties {
  readonly then: SignalValues;
  /** The current signals, once the user has requested them. */
  readonly now: SignalValues | undefined;
  /** The link to a lookup, which names the lists; null when the subject is hashed. */
  readonly lookup: string | null;
}

const subjects = { email: 'Address', domain: 'Domain', ip: 'IP address' } as const;

/** The signals that the gate saw, with the current value where it differs. */
export function DecisionSignals({ then, now, lookup }: Properties) {
  const fields = useCatalogue().data?.fields ?? [];
  const all = flatSignals(then);
  const today = now && new Map(flatSignals(now));
  return Object.entries(subjects).map(([subject, title]) => {
    const rows = all.filter(([path]) => path.startsWith(`${subject}.`));
    if (rows.length === 0) return null;
    return (
      <Fragment key={subject}>
        <h3 className={styles.subjectTitle}>{title}</h3>
        <dl className={styles.signals}>
          {rows.map(([path, value]) => (
            <Fragment key={path}>
              <dt title={path}>{labelOf(path, fields)}</dt>
              <dd data-unknown={isUnknown(value, path) || undefined}>
                {valueText(value, path)} {typeof value === 'number' && fieldOf(path, fields)?.unit}
                {lookup && value === true && /\.(disposable|spam)$/.test(path) && (
                  <Link
                    href={lookup}
                    className={styles.lists}
                    title="The log keeps the result only. A lookup names the current lists and costs one credit."
                  >
                    Which lists? Look up now
                  </Link>
                )}
                {today && isDifferent(path, today.get(path), value) && (
                  <span className={styles.different}>now {valueText(today.get(path), path)}</span>
                )}
              </dd>
            </Fragment>
          ))}
        </dl>
      </Fragment>
    );
  });
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
