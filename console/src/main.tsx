import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { queryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { Toasts } from './ui/toast.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary what="The console">
        <Router base="/console">
          <App />
        </Router>
      </ErrorBoundary>
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
