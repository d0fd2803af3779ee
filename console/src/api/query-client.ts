import { AuthenticationError, ConnectionError, ServerError } from '@signalpost/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionEnded } from './session-state.ts';

function notice(error: unknown): void {
  if (error instanceof AuthenticationError) sessionEnded();
}

const isPassing = (error: unknown) => error instanceof ConnectionError || error instanceof ServerError;

/** Everything the pages know of the service. A 401 anywhere asks for a sign-in over the page, which stays as it is. */
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
      // Pages stay as they are while the window is away; lists that are live ask by themselves.
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});
