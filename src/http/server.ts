import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { AppError } from '../errors.ts';
import { createThrottledLog } from '../log.ts';
import { createAccountWork } from './account-work.ts';
import type { Admission } from './admission.ts';
import { createClientAddresses, type TrustProxy } from './client-address.ts';
import { createConnections, type Serve } from './connections/connections.ts';
import { type Endpoint, isForPages } from './endpoint.ts';
import { endpointRoute, type RouteOptions } from './endpoint-route.ts';
import { errorAnswer } from './error-shapes.ts';
import { Exchange, type Serving } from './exchange.ts';
import { keyMount } from './key-mount.ts';
import { createKnownHosts } from './known-hosts.ts';
import { type OpenPath, openRoute } from './open-route.ts';
import { operationRoutes, type Page } from './operation-routes.ts';
import { pageMount, preflightRoute } from './page-mount.ts';
import { type Protocol, protocolRoute } from './protocol/protocol-route.ts';
import { recordFailure } from './record-failure.ts';
import type { Route } from './routing/route.ts';
import { createRouter } from './routing/router.ts';
import type { ConsoleMount } from './session-api/console-mount.ts';
import { consoleFileRoutes } from './session-api/console-pages.ts';
import { sessionMounts } from './session-api/session-mounts.ts';
import { createAccessLog } from './timing/access-log.ts';
import { createRequestMetrics, type RequestMetrics } from './timing/request-metrics.ts';

/**
 * Registers a function that reads a text of this process, and returns one that reads this text of every process of the instance,
 * by the number of the process.
 */
export type CollectFromProcesses = (
  name: string,
  own: () => Promise<string>,
) => () => Promise<ReadonlyMap<number, string>>;

/** The dependencies of the HTTP layer. */
export interface ServerOptions {
  readonly endpoints: readonly Endpoint[];
  readonly admission: Admission;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Set when several processes serve together. */
  readonly collect?: CollectFromProcesses | undefined;
  /** The state of the service in this process, for `signalpost doctor`. */
  diagnose(): Promise<object>;
  /** Texts that need no key. */
  readonly pages: readonly Page[];
  /** Paths that take no key. */
  readonly openPaths?: readonly OpenPath[];
  /** Other protocols, each behind one path. */
  readonly protocols?: readonly Protocol[];
  /** The console; without it nothing is under `/console`. */
  readonly console?: ConsoleMount;
  readonly publicUrl: string | null;
  /** Names and addresses of the service besides the one in `publicUrl`. */
  readonly allowedHosts: readonly string[];
  readonly allowKeyInQuery: boolean;
  readonly trustProxy: TrustProxy;
  /** The bearer token of `/metrics`; null allows direct requests from this machine only. */
  readonly metricsToken: string | null;
  /** Whether each response is logged. */
  readonly accessLog: boolean;
  readonly now: () => number;
  /** Measures spans of time and never goes back. */
  readonly monotonicMs: () => number;
  /** The part of a processor that an account may use continuously for anything but lookups and decisions; 0: any. */
  readonly accountCpuPercent: number;
  /** Rejects with the reason while the service cannot serve. */
  ready(): Promise<void>;
  /** Notes for the operator of a service that serves nevertheless. */
  remarks(): Readonly<Record<string, string>>;
}

/** The HTTP server of the service. */
export interface HttpServer {
  /** Node's part of it. */
  readonly node: Server;
  /** Answers one request, wherever it came from. */
  readonly serve: Serve;
  /** Listens, and returns its URL. */
  listen(where: { readonly port: number; readonly host: string }): Promise<string>;
  /** Continues to answer, closes connections after their next response, and is no longer ready. */
  drain(): void;
  /** Accepts no more connections; resolves when the last one is closed. */
  close(): Promise<void>;
}

/** The server with every route; nothing listens yet. */
export function createServer(options: ServerOptions): HttpServer {
  const connections = createConnections(options.now);
  const addresses = createClientAddresses(options.trustProxy);
  const routeOptions: RouteOptions = {
    ...options,
    addresses,
    hosts: createKnownHosts({ ...options, addresses }),
    logThrottled: createThrottledLog(options.log),
    isDraining: () => serving.isDraining,
    work: createAccountWork({
      cpuPercent: options.accountCpuPercent,
      monotonicMs: options.monotonicMs,
      onCharged: cpuCounter(options.metrics),
    }),
  };
  const metrics = createRequestMetrics(options.now);
  const logAnswer = createAccessLog(options.accessLog ? options.log : null);
  const serving: Serving & { isDraining: boolean } = {
    now: options.now,
    isDraining: false,
    reportsStages: options.accessLog,
    fail: (error, exchange) => answerFailure(error, exchange, routeOptions, metrics),
    answered(exchange, status) {
      const { operation, id, stages } = exchange;
      if (operation === null) return;
      operation.record(status, id, stages);
      logAnswer(exchange, operation.name, status);
    },
  };
  const router = createRouter(allRoutes(routeOptions, metrics));
  const serve: Serve = (request, response, readAtMs = performance.now()) => {
    const exchange = new Exchange(request, response, serving, readAtMs);
    exchange.attempt(() => {
      const found = router.find(request.method ?? 'GET', exchange.path);
      if (found === null) return refuse(exchange, router.methodsOf(exchange.path), metrics);
      exchange.route = found.route;
      exchange.operation = found.route.operation ?? null;
      exchange.params = found.params;
      return found.route.serve(exchange);
    });
  };
  const node = connections.listen(serve);
  return {
    node,
    serve,
    async listen({ port, host }) {
      await new Promise<void>((resolve, reject) => {
        node.once('error', reject);
        node.listen(port, host, () => {
          node.off('error', reject);
          resolve();
        });
      });
      const { address, family, port: taken } = node.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
    },
    drain() {
      serving.isDraining = true;
    },
    async close() {
      await new Promise<void>((resolve) => connections.stop(resolve));
      await new Promise<void>((resolve) => {
        // The port is closed already; the callback waits for the connections.
        node.close(() => resolve());
        node.closeIdleConnections();
      });
    },
  };
}

function cpuCounter(registry: Registry): (ms: number) => void {
  const counter = new Counter({
    name: 'signalpost_cpu_budget_used_seconds_total',
    help: 'Processor time that requests other than lookups and decisions used, charged to the budgets of their accounts',
    registers: [registry],
  });
  return (ms) => counter.inc(ms / 1_000);
}

function allRoutes(options: RouteOptions, metrics: RequestMetrics): Route[] {
  const { endpoints, openPaths = [], protocols = [], console } = options;
  const mounts = [
    keyMount(options),
    pageMount(options),
    ...(console === undefined ? [] : sessionMounts(console.sessions, options)),
  ];
  return [
    ...operationRoutes(options, metrics),
    ...mounts.flatMap((mount) =>
      endpoints.filter(mount.includes).map((endpoint) => endpointRoute(endpoint, mount, metrics)),
    ),
    ...endpoints.filter(isForPages).map(preflightRoute),
    ...openPaths.map((path) => openRoute(path, metrics)),
    ...protocols.map((protocol) => protocolRoute(protocol, options, metrics)),
    ...(console === undefined ? [] : consoleFileRoutes(console.files, options.hosts)),
  ];
}

/** One error for all: the stack trace of a new one takes longer than the rest of the response. */
const unknownPath = new AppError('not_found');

/** Answers a request that has no route. */
function refuse(exchange: Exchange, methods: readonly string[], metrics: RequestMetrics): void {
  const { request, path, family } = exchange;
  if (family === 'gates-v0') {
    exchange.operation = metrics.operation('unknown');
    // The query may contain a key.
    const message = `Route ${request.method}:${path} not found`;
    exchange.sendJson(404, JSON.stringify({ message, error: 'Not Found', statusCode: 404 }));
  } else if (methods.length === 0) {
    throw unknownPath;
  } else if (request.method === 'OPTIONS' && family === 'lookup') {
    exchange.headers({
      'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
      'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id',
      'access-control-max-age': '86400',
    });
    // `access-control-max-age` governs how long a preflight is cached.
    exchange.header('cache-control', '');
    exchange.sendNothing(204);
  } else {
    exchange.header('allow', methods.join(', '));
    // Only paths for pages of listed origins have a preflight route.
    if (methods.includes('OPTIONS')) exchange.header('vary', 'Origin');
    throw new AppError('method_not_allowed');
  }
}

function answerFailure(thrown: unknown, exchange: Exchange, options: RouteOptions, metrics: RequestMetrics): void {
  const answer = errorAnswer(thrown, exchange.family, exchange.id);
  exchange.operation ??= metrics.operation('unknown');
  recordFailure(thrown, { operation: exchange.operation.name, status: answer.status }, exchange, options, metrics);
  // A failure after the head was sent closes the connection, so that the response does not look complete.
  if (exchange.response.headersSent) {
    exchange.request.socket.destroy();
    return;
  }
  if (answer.challenge !== undefined) exchange.header('www-authenticate', answer.challenge);
  if (answer.retryAfterSeconds !== undefined) exchange.header('retry-after', String(answer.retryAfterSeconds));
  exchange.sendJson(answer.status, JSON.stringify(answer.body));
}
