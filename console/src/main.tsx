import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { queryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { Toasts } from './ui/toast.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router base="/console">
        <App />
      </Router>
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
