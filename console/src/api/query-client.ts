import { AuthenticationError, ConnectionError, ServerError } from '@signalpost/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionEnded } from './session-state.ts';

function notice(error: unknown): void {
  if (error instanceof AuthenticationError) sessionEnded();
}

const isPassing = (error: unknown) => error instanceof ConnectionError || error instanceof ServerError;

/** The cache of all responses. Any 401 opens the sign-in dialog over the page, which keeps its state. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: notice,
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.isSignIn !== true) notice(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
      // Pages do not reload when the window regains focus; live lists poll by themselves.
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});
