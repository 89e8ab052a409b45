/** Starts the console. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Refusal } from './graph';
import { router } from './routes';
import { applyTheme } from './shell/theme';
import './theme/index.css';

applyTheme();

const isTransient = (error: unknown): boolean => error instanceof Refusal && error.code === 'UNAVAILABLE';

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // who is signed out is so on every page: the shell says it, over what is there
    onError: (error, { queryKey: [name] }) => {
      const isSignedOut = error instanceof Refusal && error.code === 'UNAUTHENTICATED';
      if (isSignedOut && name !== 'viewer') void queries.invalidateQueries({ queryKey: ['viewer'] });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
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
