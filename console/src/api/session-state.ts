import { useSyncExternalStore } from 'react';

let isEnded = false;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  if (isEnded === next) return;
  isEnded = next;
  for (const listener of listeners) listener();
}

/** The server no longer knows the session. */
export const sessionEnded = (): void => change(true);

/** Somebody has signed in again. */
export const sessionBegun = (): void => change(false);

/** Whether the server still knows the session; polling stops when it does not. */
export const isSessionAlive = (): boolean => !isEnded;

/** Whether the session has ended under the page. */
export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isEnded,
  );

/** An interval for queries that ask again and again, until the session ends. */
export const every = (intervalMs: number) => (): number | false => (isSessionAlive() ? intervalMs : false);
