import { useId } from 'react';
import styles from './switch.module.css';

interface Properties {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly isBusy?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch that takes effect immediately. */
export function Switch({ label, hint, isOn, isBusy = false, onChange }: Properties) {
  const id = useId();
  return (
    <div className={styles.row}>
      <button
        type="button"
        role="switch"
        className={styles.switch}
        aria-checked={isOn}
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && onChange(!isOn)}
      >
        <span className={styles.knob} />
      </button>
      <div>
        <p id={id} className={styles.label}>
          {label}
        </p>
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
