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

function tell(answer: RefreshAnswer): Promise<void> {
  return new Promise((resolve) => process.send?.(answer, () => resolve()));
}

/** Often enough for the eye. */
const tellEveryMs = 200;

function hooks() {
  let toldAtMs = 0;
  return {
    onStart: (source: string) => void tell({ kind: 'start', source }),
    onProgress(source: string, received: number, total: number | null) {
      if (performance.now() - toldAtMs < tellEveryMs) return;
      toldAtMs = performance.now();
      void tell({ kind: 'progress', source, received, total });
    },
    onResult: (result: RefreshResult) => void tell({ kind: 'result', result }),
  };
}

async function answer(order: RefreshOrder): Promise<RefreshAnswer> {
  const log = {
    info: (fields: object, message: string) => void tell({ kind: 'log', level: 'info', fields, message }),
    warn: (fields: object, message: string) => void tell({ kind: 'log', level: 'warn', fields, message }),
  };
  try {
    return { kind: 'done', results: await runRefresh(order, log, hooks()) };
  } catch (error) {
    return { kind: 'failure', reason: errorMessage(error) };
  }
}

// The whole process: one order in, one refresh out. It ends with the server that started it.
process.once('message', async (order: RefreshOrder) => {
  await tell(await answer(order));
  process.disconnect();
});
process.once('disconnect', () => process.exit());
