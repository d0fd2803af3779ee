import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useMe } from '../../api/session.ts';
import { authorName } from '../../gate-editor/author.ts';
import { type Change, changePath, changeText } from '../../text/changes.ts';
import { Card } from '../../ui/card.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './overview.module.css';

const shownChanges = 6;

/** The changes to gates and lists in the range, newest first, each linked to its page. */
export function ChangesCard({ changes, span }: { changes: readonly Change[]; span: string }) {
  const [shown, older] = [changes.slice(0, shownChanges), changes.slice(shownChanges)];
  return (
    <Card title={`What changed in ${span}`} flush>
      {changes.length === 0 && <p className={styles.none}>No gate or list has changed.</p>}
      <ChangeRows changes={shown} />
      {older.length > 0 && (
        <details className={styles.older}>
          <summary>{older.length} older</summary>
          <ChangeRows changes={older} />
        </details>
      )}
    </Card>
  );
}

function ChangeRows({ changes }: { changes: readonly Change[] }) {
  const environment = useEnvironment();
  const isOperator = useMe().data?.user.role === 'operator';
  return (
    <ol className={styles.rows}>
      {changes.map((change) => {
        const path = changePath(change, isOperator);
        const row = (
          <>
            <span className={styles.rowName} title={changeText(change)}>
              {changeText(change)}
            </span>
            <span className={styles.rowNote}>
              {change.by === null ? '' : `${authorName(change.by)}, `}
              <Ago at={change.at} />
            </span>
          </>
        );
        return (
          <li key={`${change.at} ${change.action} ${change.subject}`}>
            {path === null ? (
              <span className={styles.row}>{row}</span>
            ) : (
              <Link href={`/${environment}/${path}`} className={styles.row} data-row-link="">
                {row}
              </Link>
            )}
          </li>
        );
      })}
    </ol>
  );
}
