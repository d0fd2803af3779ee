import { errorMessage } from '../../error-message.ts';
import { type RefreshOrder, runRefresh } from './refresh-run.ts';
import type { RefreshResult } from './refresh-source.ts';

/** What the refresh process sends back. */
export type RefreshAnswer =
  | { readonly kind: 'done'; readonly results: readonly RefreshResult[] }
  | { readonly kind: 'failure'; readonly reason: string }
  | { readonly kind: 'start'; readonly source: string }
  | { readonly kind: 'progress'; readonly source: string; readonly received: number; readonly total: number | null }
  | { readonly kind: 'result'; readonly result: RefreshResult }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn'; readonly fields: object; readonly message: string };

function send(answer: RefreshAnswer): Promise<void> {
  return new Promise((resolve) => process.send?.(answer, () => resolve()));
}

/** Often enough for a progress bar. */
const progressEveryMs = 200;

function hooks() {
  let sentAtMs = 0;
  return {
    onStart: (source: string) => void send({ kind: 'start', source }),
    onProgress(source: string, received: number, total: number | null) {
      if (performance.now() - sentAtMs < progressEveryMs) return;
      sentAtMs = performance.now();
      void send({ kind: 'progress', source, received, total });
    },
    onResult: (result: RefreshResult) => void send({ kind: 'result', result }),
  };
}

async function answer(order: RefreshOrder): Promise<RefreshAnswer> {
  const log = {
    info: (fields: object, message: string) => void send({ kind: 'log', level: 'info', fields, message }),
    warn: (fields: object, message: string) => void send({ kind: 'log', level: 'warn', fields, message }),
  };
  try {
    return { kind: 'done', results: await runRefresh(order, log, hooks()) };
  } catch (error) {
    return { kind: 'failure', reason: errorMessage(error) };
  }
}

// The process receives one order, runs one refresh, and ends with the server that started it.
process.once('message', async (order: RefreshOrder) => {
  await send(await answer(order));
  process.disconnect();
});
process.once('disconnect', () => process.exit());
