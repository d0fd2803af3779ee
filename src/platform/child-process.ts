import { fork } from 'node:child_process';
import { errorMessage } from '../error-message.ts';

type Message<Answer, Progress> =
  | { readonly progress: Progress }
  | { readonly answer: Answer }
  | { readonly failure: string };

export interface ChildOptions<Progress> {
  /** Kills the process. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Runs a module that calls `answerParent` in its own process, for work that takes long or much memory: requests are still answered,
 * and all its memory is freed when it ends.
 */
export function runInChild<Answer, Progress = never>(
  module: string,
  order: object,
  { signal, onProgress }: ChildOptions<Progress> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = fork(module, { execArgv: [], serialization: 'advanced', ...(signal && { signal }) });
    // A busy child would notice only at the end of its work that its parent is gone.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    child.on('message', (message) => {
      const sent = message as Message<Answer, Progress>;
      if ('progress' in sent) onProgress?.(sent.progress);
      else if ('answer' in sent) resolve(sent.answer);
      else reject(new Error(sent.failure));
    });
    child.once('error', reject);
    // Has no effect after an answer: a promise is resolved only once.
    child.once('exit', (code, ending) => reject(new Error(`the process ended with ${code ?? ending}`)));
    child.send(order);
  });
}

/** The other side of `runInChild`: does the work of one order. The process ends with it, or with its parent. */
export function answerParent<Order, Answer, Progress = never>(
  work: (order: Order, report: (progress: Progress) => void) => Answer | Promise<Answer>,
): void {
  const send = (message: Message<Answer, Progress>): Promise<void> =>
    new Promise((resolve) => process.send?.(message, () => resolve()));
  process.once('message', async (order: Order) => {
    try {
      await send({ answer: await work(order, (progress) => void send({ progress })) });
    } catch (error) {
      await send({ failure: errorMessage(error) });
    }
    process.disconnect();
  });
  process.once('disconnect', () => process.exit());
}
