import { errorMessage } from '../error-message.ts';

/** One end of a line between two processes: a child, or the parent as the child sees it. */
export interface Line {
  send(message: unknown): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** What the other end may ask for, by name. */
export type Answers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Asks the other end for something; rejects when it fails there. */
export type Call = (name: string, ...args: readonly unknown[]) => Promise<unknown>;

type Message =
  | { readonly ask: number; readonly name: string; readonly args: readonly never[] }
  | { readonly answer: number; readonly value?: unknown; readonly error?: string };

/** Lets both ends of a line ask each other. Who asks sees to it that no answer is waited for too long. */
export function connectCalls(line: Line, answers: Answers): Call {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  const answer = async (id: number, name: string, args: readonly never[]): Promise<void> => {
    try {
      const work = answers[name];
      if (work === undefined) throw new Error(`nobody answers "${name}"`);
      line.send({ answer: id, value: await work(...args) });
    } catch (error) {
      line.send({ answer: id, error: errorMessage(error) });
    }
  };
  line.on('message', (received) => {
    const message = received as Message;
    if ('ask' in message) void answer(message.ask, message.name, message.args);
    else if ('answer' in message) {
      const asker = waiting.get(message.answer);
      waiting.delete(message.answer);
      if (message.error === undefined) asker?.resolve(message.value);
      else asker?.reject(new Error(message.error));
    }
  });
  return (name, ...args) => {
    asked += 1;
    const asker = Promise.withResolvers<unknown>();
    waiting.set(asked, asker);
    line.send({ ask: asked, name, args });
    return asker.promise;
  };
}
