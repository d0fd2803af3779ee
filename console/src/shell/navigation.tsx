import { Link, useLocation } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { useMe, useSignOut } from '../api/session.ts';
import { pages } from '../pages/all.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import styles from './navigation.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

interface Properties {
  readonly isOpen: boolean;
  readonly onLeave: () => void;
  readonly onPalette: () => void;
}

/** The pages of an environment and the sign-out button; on a phone a sheet over the page. */
export function Navigation({ isOpen, onLeave, onPalette }: Properties) {
  const environment = useEnvironment();
  const [location] = useLocation();
  const me = useMe().data;
  const signOut = useSignOut();
  const shown = pages.filter(({ operatorOnly }) => !operatorOnly || me?.user.role === 'operator');
  return (
    <section id="navigation" aria-label="Menu" className={styles.navigation} data-open={isOpen || undefined}>
      <Link href={`/${environment}/${pages[0]?.path}`} className={styles.name} onClick={onLeave}>
        <Icon name="flag" size={18} />
        Signalpost
      </Link>
      <EnvironmentSwitch />
      <button type="button" className={styles.find} onClick={onPalette}>
        <Icon name="search" />
        Search
        <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Pages">
        <ul>
          {shown.map(({ path, title, icon }) => (
            <li key={path}>
              <Link
                href={`/${environment}/${path}`}
                className={styles.link}
                aria-current={location.split('/')[2] === path ? 'page' : undefined}
                onClick={onLeave}
              >
                <Icon name={icon} />
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <footer className={styles.footer}>
        <a href="/docs" className={styles.link}>
          <Icon name="right" />
          API reference
        </a>
        <ThemeSwitch />
        <div className={styles.person}>
          <span className={styles.email} title={me?.user.email}>
            {me?.user.email}
          </span>
          <Button
            kind="quiet"
            icon="leave"
            aria-label="Sign out"
            title="Sign out"
            busy={signOut.isPending}
            onClick={() => signOut.mutate(false)}
          />
        </div>
      </footer>
    </section>
  );
}
