import { useId } from 'react';
import styles from './choice.module.css';

interface Properties<Value extends string> {
  readonly label: string;
  readonly choices: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** One of a few words, at once; for what is no part of the address. */
export function Choice<Value extends string>({ label, choices, value, onChange }: Properties<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice} className={styles.choice}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          {choice}
        </label>
      ))}
    </fieldset>
  );
}
