import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { AppError } from '../errors.ts';
import { takes } from './answers/content-coding.ts';
import { isLoopback } from './client-address.ts';
import type { Mounting } from './endpoint-route.ts';
import type { Exchange } from './exchange.ts';
import { keyInHeader } from './presented-key.ts';
import type { Route } from './routing/route.ts';
import type { RequestMetrics } from './timing/request-metrics.ts';

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

/** Health, readiness, metrics and the pages. */
export function operationRoutes(options: Mounting, metrics: RequestMetrics): Route[] {
  const own = async (): Promise<string> => (await options.metrics.metrics()) + metrics.exposition();
  const exposition = fresh(metricsFreshMs, options.joinMetrics?.(own) ?? own);
  const target = home(options);
  return [
    get('/healthz', (exchange) => exchange.sendJson(200, '{"status":"ok"}')),
    get('/readyz', readiness(options)),
    get('/metrics', async (exchange) => {
      mustMayReadMetrics(exchange.request, options.metricsToken);
      exchange.send(200, options.metrics.contentType, await exposition());
    }),
    ...options.pages.map(pageRoute),
    ...(target === null ? [] : [get('/', (exchange) => redirect(exchange, target))]),
  ];
}

const get = (path: string, serve: Route['serve']): Route => ({ method: 'GET', path, serve });

/** Where `/` leads: to the console, else to the reference, when there is one. */
function home({ pages, console }: Mounting): string | null {
  if (console !== undefined) return 'console';
  return pages.some(({ path }) => path === '/docs') ? 'docs' : null;
}

/** The target is relative, so that it holds behind a proxy that serves us under a path of its own. */
function redirect(exchange: Exchange, target: string): void {
  exchange.header('location', target);
  exchange.sendNothing(302);
}

function pageRoute(page: Page): Route {
  let made: { plain: Buffer; gzip: Buffer; etag: string } | null = null;
  const make = () => {
    const plain = Buffer.from(page.text());
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    return { plain, gzip: gzipSync(plain), etag };
  };
  return get(page.path, (exchange) => {
    made ??= make();
    const { plain, gzip, etag } = made;
    const { headers } = exchange.request;
    exchange.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag, ...page.headers?.() });
    if (headers['if-none-match'] === etag) return exchange.sendNothing(304);
    if (!takes('gzip', String(headers['accept-encoding'] ?? ''))) return exchange.send(200, page.type, plain);
    exchange.header('content-encoding', 'gzip');
    return exchange.send(200, page.type, gzip);
  });
}

function readiness(options: Mounting): Route['serve'] {
  const ready = fresh(readyFreshMs, () => options.ready());
  const notReady = (exchange: Exchange): void => exchange.sendJson(503, '{"status":"not ready"}');
  return async (exchange) => {
    if (options.isDraining()) return notReady(exchange);
    try {
      await ready();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.logSeldom('warn', `not ready: ${reason}`, { requestId: exchange.id, reason }, 'not ready');
      return notReady(exchange);
    }
    return exchange.sendJson(200, JSON.stringify({ status: 'ready', ...options.remarks() }));
  };
}

/** Without a token the metrics are for this machine: what came through a proxy came from elsewhere. */
function mustMayReadMetrics({ headers, socket }: IncomingMessage, token: string | null): void {
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
