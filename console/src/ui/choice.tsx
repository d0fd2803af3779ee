import { useId } from 'react';
import styles from './choice.module.css';
import { Icon, type IconName } from './icon.tsx';

interface Properties<Value extends string> {
  readonly label: string;
  readonly choices: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Shown instead of the texts, which screen readers still announce. */
  readonly icons?: Readonly<Record<Value, IconName>>;
}

/** A segmented control for a choice that is not in the URL. */
export function Choice<Value extends string>({ label, choices, value, onChange, icons }: Properties<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice} className={styles.choice} title={icons && choice}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          {icons && <Icon name={icons[choice]} />}
          <span className={icons && 'visually-hidden'}>{choice}</span>
        </label>
      ))}
    </fieldset>
  );
}
