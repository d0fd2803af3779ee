import { useLocation, useSearch } from 'wouter';
import { type Environment, environments, useEnvironment } from '../api/environment.ts';
import styles from './environment-switch.module.css';

/** Leads to the same page of another environment with the same filters; from one object to the list it belongs to. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const [location, navigate] = useLocation();
  const search = useSearch();
  const go = (next: Environment) => {
    const [, , page = '', object] = location.split('/');
    navigate(`/${next}/${page}${search && object === undefined ? `?${search}` : ''}`);
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
