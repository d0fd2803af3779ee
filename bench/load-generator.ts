// A process of its own that loads a server over connections it keeps, with one request under way on each.
import { connect } from 'node:net';
import { fillIn } from './fill-in.ts';

/** What the parent asks for. */
export interface Load {
  readonly port: number;
  /** The whole request, head and body; what `fillIn` knows is filled in anew each time. */
  readonly request: string;
  /** Each goes in place of `{key}` in turn. */
  readonly keys?: readonly string[];
  readonly connections: number;
  /** As long as this, */
  readonly durationMs: number;
  /** and until so many answers have come: a busy machine gives few of them in a while. */
  readonly leastAnswers: number;
}

/** What came of it. */
export interface LoadResult {
  readonly answers: number;
  /** Answers that were not a 2xx, or connections that broke. */
  readonly failures: number;
}

process.on('message', (load: Load) => {
  run(load).then((result) => process.send?.(result));
});

/** Goes on from one load to the next. */
let count = 0;

/** Made once, a request costs the machine less than one made anew. */
const hasBlanks = (request: string): boolean => request.includes('{key}') || fillIn(request, 0) !== request;

async function run(load: Load): Promise<LoadResult> {
  const total = { answers: 0, failures: 0 };
  const endAtMs = performance.now() + load.durationMs;
  await Promise.all(Array.from({ length: load.connections }, () => converse(load, endAtMs, total)));
  return total;
}

/** One connection: asks, waits for the whole answer, asks again. Answers must carry a Content-Length. */
function converse(
  { port, request, keys = [], leastAnswers }: Load,
  endAtMs: number,
  total: { answers: number; failures: number },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const same = hasBlanks(request) ? null : Buffer.from(request);
  const next = (): Buffer => {
    count += 1;
    return same ?? Buffer.from(fillIn(request, count).replace('{key}', keys[count % keys.length] ?? ''));
  };
  const socket = connect(port, '127.0.0.1', () => socket.write(next()));
  socket.setNoDelay(true);
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const length = answerLength(pending);
    if (length === null || pending.length < length) return;
    total.answers += 1;
    // "HTTP/1.1 200": the first digit of the status.
    if (pending[9] !== 0x32) total.failures += 1;
    pending = pending.subarray(length);
    if (performance.now() < endAtMs || total.answers < leastAnswers) socket.write(next());
    else socket.end();
  });
  socket.on('error', () => {
    total.failures += 1;
  });
  socket.on('close', () => resolve());
  return promise;
}

/** Head and body together; null while the head is not whole. */
function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [, length = '0'] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd)) ?? [];
  return headEnd + 4 + Number(length);
}
