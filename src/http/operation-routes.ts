import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { AppError } from '../errors.ts';
import { accepts } from './answers/content-coding.ts';
import { isLoopback } from './client-address.ts';
import type { RouteOptions } from './endpoint-route.ts';
import type { Exchange } from './exchange.ts';
import { type KnownHosts, underKnownHost } from './known-hosts.ts';
import { keyInHeader } from './presented-key.ts';
import type { Route } from './routing/route.ts';
import { joinMetrics } from './timing/joined-metrics.ts';
import type { RequestMetrics } from './timing/request-metrics.ts';

/** Clients may request these as often as they like, so that requests within this time share one result. */
const metricsMaxAgeMs = 1_000;
const readyMaxAgeMs = 250;

/** A text that is the same for every client; `text` caches it, and returns another only when the page has changed. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly headers?: () => Readonly<Record<string, string>>;
  text(): string;
}

/** Health, readiness, metrics, diagnostics and the pages. */
export function operationRoutes(options: RouteOptions, metrics: RequestMetrics): Route[] {
  const exposition = fresh(metricsMaxAgeMs, metricsReader(options, metrics));
  const diagnostics = fresh(metricsMaxAgeMs, diagnosticsReader(options, metrics));
  const target = home(options);
  const { metricsToken, hosts } = options;
  const forOperators = (path: string, serve: Route['serve']): Route => {
    // A token proves more than a name, and no page of another site has it.
    const guarded = metricsToken === null ? underKnownHost(hosts, serve) : serve;
    return get(path, (exchange) => {
      assertMetricsAccess(exchange.request, metricsToken);
      return guarded(exchange);
    });
  };
  return [
    get('/healthz', (exchange) => exchange.sendJson(200, '{"status":"ok"}')),
    get('/readyz', readiness(options)),
    forOperators('/metrics', async (exchange) => exchange.send(200, options.metrics.contentType, await exposition())),
    forOperators('/diagnostics', async (exchange) => exchange.sendJson(200, await diagnostics())),
    ...options.pages.map((page) => pageRoute(page, options.hosts)),
    ...(target === null
      ? []
      : [
          get(
            '/',
            underKnownHost(options.hosts, (exchange) => redirect(exchange, target)),
          ),
        ]),
  ];
}

/** The metrics of every process that serves together with this one, as one text. */
function metricsReader({ collect, metrics: registry }: RouteOptions, metrics: RequestMetrics): () => Promise<string> {
  const own = async (): Promise<string> => (await registry.metrics()) + metrics.exposition();
  const all = collect?.('metrics', own);
  return all === undefined ? own : async () => joinMetrics(await all());
}

/** The state of every process that serves together with this one, as a JSON list. */
function diagnosticsReader({ collect, diagnose }: RouteOptions, metrics: RequestMetrics): () => Promise<string> {
  const own = async (): Promise<string> => JSON.stringify({ ...(await diagnose()), requests: metrics.diagnostics() });
  const all = collect?.('diagnostics', own);
  const texts = async (): Promise<string[]> => (all === undefined ? [await own()] : [...(await all()).values()]);
  return async () => `{"processes":[${(await texts()).join(',')}]}`;
}

const get = (path: string, serve: Route['serve']): Route => ({ method: 'GET', path, serve });

/** The target of `/`: the console, else the reference, when there is one. */
function home({ pages, console }: RouteOptions): string | null {
  if (console !== undefined) return 'console';
  return pages.some(({ path }) => path === '/docs') ? 'docs' : null;
}

/** The target is relative, so that it works behind a proxy that adds a path prefix. */
function redirect(exchange: Exchange, target: string): void {
  exchange.header('location', target);
  exchange.sendNothing(302);
}

function pageRoute(page: Page, hosts: KnownHosts): Route {
  let made: { text: string; plain: Buffer; gzip: Buffer; etag: string } | null = null;
  const make = (text: string) => {
    const plain = Buffer.from(text);
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    return { text, plain, gzip: gzipSync(plain), etag };
  };
  const serve: Route['serve'] = (exchange) => {
    const text = page.text();
    if (made?.text !== text) made = make(text);
    const { plain, gzip, etag } = made;
    const { headers } = exchange.request;
    exchange.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag, ...page.headers?.() });
    if (headers['if-none-match'] === etag) return exchange.sendNothing(304);
    if (!accepts('gzip', String(headers['accept-encoding'] ?? ''))) return exchange.send(200, page.type, plain);
    exchange.header('content-encoding', 'gzip');
    return exchange.send(200, page.type, gzip);
  };
  return get(page.path, page.type.startsWith('text/html') ? underKnownHost(hosts, serve) : serve);
}

function readiness(options: RouteOptions): Route['serve'] {
  const ready = fresh(readyMaxAgeMs, () => options.ready());
  const notReady = (exchange: Exchange): void => exchange.sendJson(503, '{"status":"not ready"}');
  return async (exchange) => {
    if (options.isDraining()) return notReady(exchange);
    try {
      await ready();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.logThrottled('warn', `not ready: ${reason}`, { requestId: exchange.id, reason }, 'not ready');
      return notReady(exchange);
    }
    return exchange.sendJson(200, JSON.stringify({ status: 'ready', ...options.remarks() }));
  };
}

/** Without a token the metrics are for this machine: a request through a proxy comes from elsewhere. */
function assertMetricsAccess({ headers, socket }: IncomingMessage, token: string | null): void {
  if (token === null) {
    const isDirect = headers['x-forwarded-for'] === undefined && isLoopback(socket.remoteAddress ?? '');
    if (!isDirect) throw new AppError('not_found');
  } else if (!isSame(keyInHeader(headers.authorization) ?? '', token)) {
    throw new AppError('unauthorized');
  }
}

/** Compares hashes, so that the time reveals neither where two texts differ nor how long they are. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Shares one result, also a failure, between all calls within `maxAgeMs` of the start of the work. */
function fresh<T>(maxAgeMs: number, work: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | null = null;
  let startedAtMs = 0;
  let isPending = false;
  return () => {
    const nowMs = performance.now();
    if (last === null || (!isPending && nowMs - startedAtMs >= maxAgeMs)) {
      startedAtMs = nowMs;
      isPending = true;
      last = work().finally(() => {
        isPending = false;
      });
    }
    return last;
  };
}
