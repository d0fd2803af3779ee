import { createInterface } from 'node:readline';

/** The lines of a stream. Reports a file that cannot be read, which `readline` alone would leave to the process. */
export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  input.once('error', reject);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await Promise.race([lines.next(), failed]);
    if (done) return;
    yield value;
  }
}
