import { answerParent } from '../../platform/child-process.ts';
import { type RefreshOrder, runRefresh } from './refresh-run.ts';
import type { RefreshResult } from './refresh-source.ts';

/** A message of the refresh process before its result. */
export type RefreshProgress =
  | { readonly kind: 'start'; readonly source: string }
  | { readonly kind: 'progress'; readonly source: string; readonly received: number; readonly total: number | null }
  | { readonly kind: 'result'; readonly result: RefreshResult }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn'; readonly fields: object; readonly message: string };

/** Often enough for a progress bar. */
const progressEveryMs = 200;

answerParent((order: RefreshOrder, report: (progress: RefreshProgress) => void) => {
  let reportedAtMs = 0;
  const log = {
    info: (fields: object, message: string) => report({ kind: 'log', level: 'info', fields, message }),
    warn: (fields: object, message: string) => report({ kind: 'log', level: 'warn', fields, message }),
  };
  return runRefresh(order, log, {
    onStart: (source) => report({ kind: 'start', source }),
    onProgress(source, received, total) {
      if (performance.now() - reportedAtMs < progressEveryMs) return;
      reportedAtMs = performance.now();
      report({ kind: 'progress', source, received, total });
    },
    onResult: (result) => report({ kind: 'result', result }),
  });
});
