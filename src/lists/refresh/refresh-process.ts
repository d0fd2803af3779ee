import { errorMessage } from '../../error-message.ts';
import { type RefreshOrder, runRefresh } from './refresh-run.ts';
import type { RefreshResult } from './refresh-source.ts';

/** What the refresh process sends back. */
export type RefreshAnswer =
  | { readonly kind: 'done'; readonly results: readonly RefreshResult[] }
  | { readonly kind: 'failure'; readonly reason: string }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn'; readonly fields: object; readonly message: string };

function tell(answer: RefreshAnswer): Promise<void> {
  return new Promise((resolve) => process.send?.(answer, () => resolve()));
}

async function answer(order: RefreshOrder): Promise<RefreshAnswer> {
  const log = {
    info: (fields: object, message: string) => void tell({ kind: 'log', level: 'info', fields, message }),
    warn: (fields: object, message: string) => void tell({ kind: 'log', level: 'warn', fields, message }),
  };
  try {
    return { kind: 'done', results: await runRefresh(order, log) };
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
