import { type ClientSettings, Signalpost } from '../src/index.ts';

/** A client that does not keep a test waiting: its own pauses are a millisecond or two. */
export function quickClient(baseUrl: string, settings: Partial<ClientSettings> = {}): Signalpost {
  return new Signalpost({ apiKey: 'sp_dev_test', baseUrl, backoffMs: 1, ...settings });
}

/** What a call that must fail throws. */
export async function thrownBy<E extends Error>(
  call: Promise<unknown>,
  type: new (...parameters: never[]) => E,
): Promise<E> {
  try {
    await call;
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
  throw new Error(`nothing was thrown, and not a ${type.name}`);
}
