import { createChangePoll } from '../src/db/changes.ts';
import type { Db } from '../src/db/db.ts';

export interface ChangeWatch {
  readonly ready: Promise<void>;
  lastSuccessMs(): number;
  stop(): void;
}

/** Polls for changes until it is stopped, as the job of a running service does. */
export function watchChanges(
  db: Db,
  { monotonicMs, intervalMs = 300 }: { readonly monotonicMs: () => number; readonly intervalMs?: number },
  onChange: (topic: string, scope: string) => void,
  onGap: () => void,
): ChangeWatch {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const ifRunning =
    <Args extends readonly unknown[]>(report: (...args: Args) => void) =>
    (...args: Args): void => {
      if (!isStopped) report(...args);
    };
  const { ready, lastSuccessMs, poll } = createChangePoll(db, monotonicMs, ifRunning(onChange), ifRunning(onGap));
  const loop = async (): Promise<void> => {
    await poll().catch(() => {});
    if (!isStopped) timer = setTimeout(loop, intervalMs).unref();
  };
  loop();
  return {
    ready,
    lastSuccessMs,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
