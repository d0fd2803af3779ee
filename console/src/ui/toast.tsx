import { useEffect, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import styles from './toast.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
  readonly isProblem: boolean;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

/** Confirms an action, with undo where possible. */
export function toast(text: string, action: Toast['action'] = null): void {
  lastId += 1;
  change([...toasts.slice(-2), { id: lastId, text, action, isProblem: false }]);
}

/** Reports a failed action. */
export function problemToast(text: string): void {
  lastId += 1;
  change([...toasts.slice(-2), { id: lastId, text, action: null, isProblem: true }]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The container of toasts; screen readers announce them. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={styles.place} role="status" aria-label="Messages">
      {shown.map((one) => (
        <OneToast key={one.id} {...one} />
      ))}
    </div>
  );
}

function OneToast({ id, text, action, isProblem }: Toast) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), isProblem || action ? 12_000 : 5_000);
    return () => clearTimeout(timer);
  }, [id, isProblem, action]);
  return (
    <div className={styles.toast} data-problem={isProblem || undefined}>
      <span>{text}</span>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <Button kind="quiet" icon="cross" aria-label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}
