import { useSyncExternalStore } from 'react';

let isEnded = false;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  if (isEnded === next) return;
  isEnded = next;
  for (const listener of listeners) listener();
}

/** The server no longer accepts the session. */
export const sessionEnded = (): void => change(true);

/** The user has signed in again. */
export const sessionStarted = (): void => change(false);

/** Whether the server still accepts the session; otherwise polling stops. */
export const isSessionAlive = (): boolean => !isEnded;

/** Whether the session ended while the page was open. */
export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isEnded,
  );

/** The interval of a polling query, until the session ends. */
export const every = (intervalMs: number) => (): number | false => (isSessionAlive() ? intervalMs : false);
