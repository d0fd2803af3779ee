import { ConnectionError, ServerError, TimeoutError } from '@signalpost/client';
import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, useSyncExternalStore } from 'react';

/** How often failed requests are repeated while the service does not respond. */
const retryMs = 5_000;

/** Whether an error is about the whole service rather than one request. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  (error instanceof ServerError && error.status === 503);

/** The error of a request on this page that failed because the service did, and repeats those requests until they succeed. */
export function useOutage(): { readonly error: Error | null; readonly retry: () => void } {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const failed = () => cache.findAll({ type: 'active', predicate: ({ state }) => isOutage(state.error) });
  const error = useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    () => failed()[0]?.state.error ?? null,
  );
  const isOut = error !== null;
  const retry = () => void client.refetchQueries({ type: 'active', predicate: ({ state }) => isOutage(state.error) });
  useEffect(() => {
    if (!isOut) return;
    const timer = setInterval(
      () => void client.refetchQueries({ type: 'active', predicate: ({ state }) => isOutage(state.error) }),
      retryMs,
    );
    return () => clearInterval(timer);
  }, [isOut, client]);
  return { error, retry };
}

/** Whether the browser has a network connection. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );

/** Inside the shell, which reports an outage once for the whole page. */
export const OutageContext = createContext(false);

/** Whether another element reports this error. */
export const useIsReported = (error: unknown): boolean => useContext(OutageContext) && isOutage(error);
