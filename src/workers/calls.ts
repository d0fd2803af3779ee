import { errorMessage } from '../error-message.ts';

/** One end of a message channel between two processes. */
export interface Channel {
  send(message: unknown): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** The functions that the other end may call, by name. */
export type Handlers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Calls a function of the other end; rejects when it fails there. */
export type Call = (name: string, ...args: readonly unknown[]) => Promise<unknown>;

type Message =
  | { readonly call: number; readonly name: string; readonly args: readonly never[] }
  | { readonly reply: number; readonly value?: unknown; readonly error?: string };

/** Lets both ends of a channel call each other. There is no timeout here: the caller sets its own. */
export function connectCalls(channel: Channel, handlers: Handlers): Call {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  const handle = async (id: number, name: string, args: readonly never[]): Promise<void> => {
    try {
      const handler = handlers[name];
      if (handler === undefined) throw new Error(`unknown function "${name}"`);
      channel.send({ reply: id, value: await handler(...args) });
    } catch (error) {
      channel.send({ reply: id, error: errorMessage(error) });
    }
  };
  channel.on('message', (received) => {
    const message = received as Message;
    if ('call' in message) void handle(message.call, message.name, message.args);
    else if ('reply' in message) {
      const caller = pending.get(message.reply);
      pending.delete(message.reply);
      if (message.error === undefined) caller?.resolve(message.value);
      else caller?.reject(new Error(message.error));
    }
  });
  return (name, ...args) => {
    calls += 1;
    const caller = Promise.withResolvers<unknown>();
    pending.set(calls, caller);
    channel.send({ call: calls, name, args });
    return caller.promise;
  };
}
