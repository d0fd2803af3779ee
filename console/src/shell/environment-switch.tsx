import { useLocation, useSearch } from 'wouter';
import { type Environment, environments, useEnvironment } from '../api/environment.ts';
import styles from './environment-switch.module.css';

/** Opens the same page of another environment with the same filters; from an object, its list. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const [location, navigate] = useLocation();
  const search = useSearch();
  const go = (next: Environment) => {
    const [, , page = '', object] = location.split('/');
    const filters = new URLSearchParams(object === undefined ? search : '');
    // The decision that is open beside the log belongs to this environment.
    filters.delete('open');
    navigate(`/${next}/${page}${filters.size > 0 ? `?${filters}` : ''}`);
  };
  return (
    <label className={styles.switch}>
      <span className="visually-hidden">Environment</span>
      <span className={styles.dot} />
      <select value={environment} onChange={({ target }) => go(target.value as Environment)}>
        {environments.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
