import styles from './webhooks.module.css';

interface Properties<Value extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly note?: string }[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: Value[]) => void;
}

/** A group of checkboxes. */
export function CheckList<Value extends string>({ label, hint, error, choices, chosen, onChange }: Properties<Value>) {
  return (
    <fieldset className={styles.checks}>
      <legend>{label}</legend>
      {hint && <p className={styles.soft}>{hint}</p>}
      {choices.map((choice) => (
        <label key={choice.value} className={styles.check}>
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))
            }
          />
          <span>
            {choice.label}
            {choice.note && <code className={styles.note}>{choice.note}</code>}
          </span>
        </label>
      ))}
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
