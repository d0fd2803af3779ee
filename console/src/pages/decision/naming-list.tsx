import { Fragment } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type Naming, sayings } from '../../text/named-by.ts';
import { sourceAbout, sourceName } from '../../text/sources.ts';
import { dayName } from '../../text/times.ts';
import styles from './decision.module.css';

interface Properties {
  readonly namedBy: readonly Naming[] | null;
  readonly domain: string;
  readonly isDisposable: boolean;
}

/** The lists that named the domain at the time of the decision, grouped by their statement, with their editions. */
export function NamingList({ namedBy, domain, isDisposable }: Properties) {
  const environment = useEnvironment();
  if (namedBy === null) return <p className={styles.meta}>Decisions of version 0.1.0 did not log the lists.</p>;
  if (namedBy.length === 0) return <p className={styles.meta}>No list named {domain}.</p>;
  // A list of mail services often has disposable ones too; beside the verdict that would read like a contradiction.
  const shown = isDisposable ? namedBy.filter(({ says }) => says !== 'public') : namedBy;
  return (
    <dl className={styles.namings}>
      {[...Map.groupBy(shown, ({ says }) => says)].map(([says, namings]) => (
        <Fragment key={says}>
          <dt>{sayings[says]}</dt>
          {namings.map(({ source, entry, date }) => (
            <dd key={`${source} ${entry}`}>
              <Link
                href={`/${environment}/log?source=${encodeURIComponent(source)}`}
                title={`${sourceAbout(source)} Show the decisions about domains that it named.`}
              >
                {sourceName(source)}
              </Link>
              {entry !== domain && <span>entry {entry}</span>}
              <span className={styles.edition}>{date && `edition of ${dayName(date)}`}</span>
            </dd>
          ))}
        </Fragment>
      ))}
    </dl>
  );
}
