import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useWaves } from '../../api/waves.ts';
import { counted } from '../../text/numbers.ts';
import { gotIn, sharedText, sizeText } from '../../text/waves.ts';
import { Icon } from '../../ui/icon.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './waves.module.css';

/** One line on another page about the newest wave without a verdict that rules do not stop; nothing without one. */
export function NewestWave() {
  const environment = useEnvironment();
  const open = useWaves().data?.filter(({ verdict, stopped }) => verdict === null && !stopped) ?? [];
  const [newest, ...others] = open;
  if (newest === undefined) return null;
  return (
    <p className={styles.line} data-open={newest.allow > 0 || undefined}>
      <Icon name="waves" />
      <span>
        <Link href={`/${environment}/waves/${newest.id}`}>
          <strong>
            Wave <Ago at={newest.began_at} />
          </strong>
        </Link>
        : {sizeText(newest)}, all {sharedText(newest)}. {gotIn(newest)}.
        {others.length > 0 && (
          <>
            {' '}
            <Link href={`/${environment}/waves`}>{counted(others.length, 'more wave')} without a verdict</Link>
          </>
        )}
      </span>
    </p>
  );
}
