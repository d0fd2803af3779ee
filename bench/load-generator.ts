// A separate process that loads a server over keep-alive connections, with one request in flight on each.
import { connect } from 'node:net';
import { fillIn } from './fill-in.ts';

/** The load that the parent requests. */
export interface Load {
  readonly port: number;
  /** The whole request, head and body; `fillIn` replaces its placeholders for every request. */
  readonly request: string;
  /** Each replaces `{key}` in turn. */
  readonly keys?: readonly string[];
  readonly connections: number;
  /** The minimum duration. */
  readonly durationMs: number;
  /** The minimum number of responses: a busy machine is slow. */
  readonly minAnswers: number;
}

/** The result of a load. */
export interface LoadResult {
  readonly answers: number;
  /** Responses other than 2xx, and broken connections. */
  readonly failures: number;
  /** 99 of 100 responses arrived within this time. */
  readonly p99Ms: number;
}

process.on('message', (load: Load) => {
  run(load).then((result) => process.send?.(result));
});

/** Continues from one load to the next. */
let count = 0;

/** A fixed request is encoded once, which saves CPU time. */
const hasBlanks = (request: string): boolean => request.includes('{key}') || fillIn(request, 0) !== request;

async function run(load: Load): Promise<LoadResult> {
  const total: Total = { answers: 0, failures: 0, tookMs: [] };
  const endAtMs = performance.now() + load.durationMs;
  await Promise.all(Array.from({ length: load.connections }, () => converse(load, endAtMs, total)));
  const { answers, failures, tookMs } = total;
  const p99Ms = tookMs.sort((one, other) => one - other)[Math.floor(0.99 * tookMs.length)] ?? Number.NaN;
  return { answers, failures, p99Ms };
}

interface Total {
  answers: number;
  failures: number;
  readonly tookMs: number[];
}

/** One connection: sends a request, reads the whole response, repeats. Responses need a Content-Length. */
function converse({ port, request, keys = [], minAnswers }: Load, endAtMs: number, total: Total): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const same = hasBlanks(request) ? null : Buffer.from(request);
  let sentAtMs = 0;
  const next = (): Buffer => {
    count += 1;
    sentAtMs = performance.now();
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
    total.tookMs.push(performance.now() - sentAtMs);
    // "HTTP/1.1 200": the first digit of the status.
    if (pending[9] !== 0x32) total.failures += 1;
    pending = pending.subarray(length);
    if (performance.now() < endAtMs || total.answers < minAnswers) socket.write(next());
    else socket.end();
  });
  socket.on('error', () => {
    total.failures += 1;
  });
  socket.on('close', () => resolve());
  return promise;
}

/** Length of head and body; null while the head is incomplete. */
function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [, length = '0'] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd)) ?? [];
  return headEnd + 4 + Number(length);
}
