import { useState } from 'react';
import { Icon, type IconName } from '../ui/icon.tsx';
import { setTheme, type Theme, theme } from './theme.ts';
import styles from './theme-switch.module.css';

const choices: readonly { readonly theme: Theme; readonly label: string; readonly icon: IconName }[] = [
  { theme: 'system', label: 'As the system', icon: 'screen' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
];

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(theme);
  return (
    <fieldset className={styles.themes}>
      <legend className="visually-hidden">Theme</legend>
      {choices.map(({ theme: one, label, icon }) => (
        <label key={one} className={styles.choice} title={label}>
          <input
            type="radio"
            name="theme"
            className="visually-hidden"
            checked={chosen === one}
            onChange={() => {
              setTheme(one);
              setChosen(one);
            }}
          />
          <Icon name={icon} />
          <span className="visually-hidden">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
