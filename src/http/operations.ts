import { createHash, timingSafeEqual } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isLoopback } from './client-address.ts';
import { consolePagePaths } from './console/console-files.ts';
import type { ConsoleServing } from './console/console-serving.ts';
import type { Mounting } from './mount-endpoint.ts';
import { keyInHeader } from './presented-key.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** Anybody may ask for these as often as they like, so the work behind them is done once for all of a moment. */
const metricsFreshMs = 1_000;
const readyFreshMs = 250;

/** A text that is the same for everybody, made when somebody first asks for it. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly headers?: () => Readonly<Record<string, string>>;
  text(): string;
}

interface Served {
  readonly pages: readonly Page[];
  readonly console?: ConsoleServing | undefined;
}

/** What the paths outside the API accept, for 405. */
export function operationRoutes({ pages, console }: Served): { method: string; path: string }[] {
  const paths = ['/healthz', '/readyz', '/metrics', ...pages.map(({ path }) => path)];
  if (console !== undefined) paths.push(...consolePagePaths);
  if (home({ pages, console }) !== null) paths.push('/');
  return paths.map((path) => ({ method: 'GET', path }));
}

/** Mounts health, readiness, metrics and the pages. */
export function mountOperations(app: FastifyInstance, options: Mounting, metrics: RequestMetrics): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  mountReadiness(app, options);
  const own = async (): Promise<string> => (await options.metrics.metrics()) + metrics.exposition();
  const exposition = fresh(metricsFreshMs, options.joinMetrics?.(own) ?? own);
  app.get('/metrics', async (request, reply) => {
    mustMayReadMetrics(request, options.metricsToken);
    return reply.header('content-type', options.metrics.contentType).send(await exposition());
  });
  for (const page of options.pages) mountPage(app, page);
  const target = home(options);
  // Relative, so that it holds behind a proxy that serves us under a path of its own.
  if (target !== null) app.get('/', (_request, reply) => reply.header('location', target).code(302).send());
}

/** Where `/` leads: to the console, else to the reference, when there is one. */
function home({ pages, console }: Served): string | null {
  if (console !== undefined) return 'console';
  return pages.some(({ path }) => path === '/docs') ? 'docs' : null;
}

function mountPage(app: FastifyInstance, page: Page): void {
  let made: { plain: Buffer; gzip: Buffer; etag: string } | null = null;
  const make = () => {
    const plain = Buffer.from(page.text());
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    return { plain, gzip: gzipSync(plain), etag };
  };
  app.get(page.path, (request, reply) => {
    made ??= make();
    const { plain, gzip, etag } = made;
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag, ...page.headers?.() });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.header('content-type', page.type);
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
      String(request.headers['accept-encoding'] ?? ''),
    );
    return takesGzip ? reply.header('content-encoding', 'gzip').send(gzip) : reply.send(plain);
  });
}

function mountReadiness(app: FastifyInstance, options: Mounting): void {
  const ready = fresh(readyFreshMs, () => options.ready());
  const notReady = (reply: FastifyReply) => reply.code(503).send({ status: 'not ready' });
  app.get('/readyz', async (request, reply) => {
    if (app.draining) return notReady(reply);
    try {
      await ready();
      return { status: 'ready', ...options.remarks() };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.logSeldom('warn', `not ready: ${reason}`, { requestId: request.id, reason }, 'not ready');
      return notReady(reply);
    }
  });
}

/** Without a token the metrics are for this machine: what came through a proxy came from elsewhere. */
function mustMayReadMetrics({ headers, socket }: FastifyRequest, token: string | null): void {
  if (token === null) {
    const isDirect = headers['x-forwarded-for'] === undefined && isLoopback(socket.remoteAddress ?? '');
    if (!isDirect) throw new AppError('not_found');
  } else if (!isSame(keyInHeader(headers.authorization) ?? '', token)) {
    throw new AppError('unauthorized');
  }
}

/** Compares hashes, so that the time tells neither where two texts differ nor how long they are. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The same outcome, also a failure, for everybody who asks within `forMs` of the last time the work was begun. */
function fresh<T>(forMs: number, work: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | null = null;
  let begunAtMs = 0;
  let isPending = false;
  return () => {
    const nowMs = performance.now();
    if (last === null || (!isPending && nowMs - begunAtMs >= forMs)) {
      begunAtMs = nowMs;
      isPending = true;
      last = work().finally(() => {
        isPending = false;
      });
    }
    return last;
  };
}
