import { useState } from 'react';
import { Choice } from '../ui/choice.tsx';
import { setTheme, type Theme, theme } from './theme.ts';

const labels = { system: 'System', light: 'Light', dark: 'Dark' } as const satisfies Record<Theme, string>;
const icons = { System: 'screen', Light: 'sun', Dark: 'moon' } as const;
const themes = Object.keys(labels) as Theme[];

/** Chooses light, dark or the system's theme. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(theme);
  const choose = (label: (typeof labels)[Theme]) => {
    const wanted = themes.find((one) => labels[one] === label) ?? 'system';
    setTheme(wanted);
    setChosen(wanted);
  };
  return (
    <Choice label="Theme" choices={Object.values(labels)} value={labels[chosen]} onChange={choose} icons={icons} />
  );
}
