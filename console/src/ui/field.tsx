import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useId,
} from 'react';
import styles from './field.module.css';

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

const FieldContext = createContext<Wiring | undefined>(undefined);

interface Properties {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The error text, shown at the field. */
  readonly error?: string | null | undefined;
  /** The label is for screen readers only. */
  readonly hideLabel?: boolean;
  readonly children: ReactNode;
}

/** A control with its label, hint and error. */
export function Field({ label, hint, error, hideLabel = false, children }: Properties) {
  const id = useId();
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const wiring: Wiring = { id, 'aria-describedby': notes || undefined, 'aria-invalid': error ? true : undefined };
  return (
    <FieldContext value={wiring}>
      <div className={styles.field}>
        <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
          {label}
        </label>
        {children}
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
        {error && (
          <p id={`${id}-error`} className={styles.error} role="alert">
            {error}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

/** A line of text. */
export function Input({ mono, ...rest }: InputHTMLAttributes<HTMLInputElement> & { readonly mono?: boolean }) {
  return <input {...useContext(FieldContext)} {...rest} className={styles.control} data-mono={mono || undefined} />;
}

/** Several lines of text. */
export function TextArea({ mono, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement> & { readonly mono?: boolean }) {
  return <textarea {...useContext(FieldContext)} {...rest} className={styles.control} data-mono={mono || undefined} />;
}

/** A select. */
export function Select(properties: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...useContext(FieldContext)} {...properties} className={styles.control} data-select="" />;
}
