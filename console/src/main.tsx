/** Starts the console. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isUnavailable, whenBack } from './comeback';
import { Refusal } from './graph';
import { router } from './routes';
import { applyTheme } from './shell/theme';
import './theme/index.css';

applyTheme();

let stopWaiting: () => void;

/** Reads again what is shown and could not be read, also behind values of before, which hide that. */
function readFailed(): void {
  const failed = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => isUnavailable(state.error) });
  if (failed.length === 0) stopWaiting();
  // what its own page tries again is under way
  for (const { queryKey } of failed)
    void queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // who is signed out is so on every page: the shell says it, over what is there
    onError: (error, { queryKey: [name] }) => {
      const isSignedOut = error instanceof Refusal && error.code === 'UNAUTHENTICATED';
      if (isSignedOut && name !== 'viewer') void queries.invalidateQueries({ queryKey: ['viewer'] });
      if (isUnavailable(error)) stopWaiting = whenBack(readFailed);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isUnavailable(error),
      // asked even where the browser takes itself for offline: the answer, or none, says what is so
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

// nobody waits for the look of paper, and any page may be printed
import('./theme/print.css').catch(() => undefined);
