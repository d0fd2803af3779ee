import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { AppError } from '../errors.ts';
import { isUlid, ulid } from '../ulid.ts';
import type { Admission } from './admission.ts';
import { allowAnyOrigin, jsonType } from './answer-headers.ts';
import { parseBody } from './body-parser.ts';
import { answerClientError } from './client-error.ts';
import type { Endpoint, Family } from './endpoint.ts';
import { errorAnswer } from './error-shapes.ts';
import { mountEndpoint } from './mount-endpoint.ts';
import { familyOfPath, methodTable, pathOf, routableUrl } from './paths.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';

/** A body of 1,000 of the longest domain names, escaped, fits. */
const bodyLimitBytes = 1_048_576;
const maxHeaderBytes = 16_384;

/** What the HTTP layer needs from the rest of the service. */
export interface ServerOptions {
  readonly endpoints: readonly Endpoint[];
  readonly admission: Admission;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly openapi: object;
  readonly publicUrl: string | null;
  readonly allowKeyInQuery: boolean;
  readonly trustProxy: number | readonly string[] | null;
  readonly now: () => number;
  /** Rejects with the reason while the service cannot serve. */
  ready(): Promise<void>;
  /** What an operator should know although the service serves. */
  remarks(): Readonly<Record<string, string>>;
}

/** The HTTP server with every endpoint mounted; nothing listens yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    trustProxy: trustedProxies(options.trustProxy),
    genReqId: (request) => {
      const own = request.headers['x-request-id'];
      return typeof own === 'string' && isUlid(own) ? own : ulid(options.now());
    },
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: maxHeaderBytes },
    bodyLimit: bodyLimitBytes,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { maxHeaderSize: maxHeaderBytes, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, options.now),
  });
  const metrics = createRequestMetrics();
  acceptAnyBody(app);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    reply.header('x-request-id', request.id);
    if (app.draining) reply.header('connection', 'close');
    const type = request.headers['content-type'];
    if (type !== undefined && !isMediaType(type)) request.headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('caller', null);
  app.decorate('draining', false);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, options, metrics));
  app.setNotFoundHandler(notFound(options, metrics));
  mountOperations(app, options, metrics);
  for (const endpoint of options.endpoints) mountEndpoint(app, endpoint, options, metrics);
  return app;
}

/** A count trusts that many hops, counted from us; a list trusts those addresses. */
function trustedProxies(trust: ServerOptions['trustProxy']) {
  if (typeof trust === 'number') return (_address: string, hop: number) => hop < trust;
  return trust === null ? false : [...trust];
}

/** Bodies are read here and judged by the endpoint, because each family says something else about a bad one. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, parseBody(bytes as Buffer, true)),
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) =>
    done(null, parseBody(bytes as Buffer, request.headers['content-type'] === undefined)),
  );
}

/** RFC 9110, section 8.3.1. The framework refuses anything else before the endpoint could say what it makes of the body. */
function isMediaType(type: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/.test(type);
}

function mountOperations(app: FastifyInstance, options: ServerOptions, metrics: RequestMetrics): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    try {
      await options.ready();
      return { status: 'ready', ...options.remarks() };
    } catch (error) {
      options.log.warn({ requestId: request.id, err: error }, 'not ready');
      return reply.code(503).header('retry-after', '2').send({ status: 'not ready' });
    }
  });
  app.get('/metrics', async (_request, reply) =>
    reply
      .header('content-type', options.metrics.contentType)
      .send((await options.metrics.metrics()) + metrics.exposition()),
  );
  app.get('/openapi.json', () => options.openapi);
}

const operationRoutes = ['/healthz', '/readyz', '/metrics', '/openapi.json'].map((path) => ({ method: 'GET', path }));

function notFound(options: ServerOptions, metrics: RequestMetrics) {
  const methodsOf = methodTable([...options.endpoints, ...operationRoutes]);
  return (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url);
    const family = familyOfPath(path);
    const methods = methodsOf(path);
    if (family === 'lookup') allowAnyOrigin(reply);
    if (family === 'gates-v0') {
      metrics.operation('unknown')(404, request.startedAtMs);
      return reply
        .code(404)
        .send({ message: `Route ${request.method}:${request.url} not found`, error: 'Not Found', statusCode: 404 });
    }
    if (methods.length === 0) throw new AppError('not_found');
    if (request.method === 'OPTIONS' && family === 'lookup') {
      return reply
        .code(204)
        .headers({
          'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
          'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id',
          'access-control-max-age': '86400',
        })
        .send();
    }
    reply.header('allow', methods.join(', '));
    throw new AppError('method_not_allowed');
  };
}

function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
  metrics: RequestMetrics,
): FastifyReply {
  const family: Family = request.routeOptions.config.family ?? familyOfPath(pathOf(request.url));
  const error = documented(thrown);
  const answer = errorAnswer(error, family, request.id);
  const operation = request.routeOptions.config.operationId ?? 'unknown';
  metrics.operation(operation)(answer.status, request.startedAtMs);
  if (answer.status >= 500) options.log.error({ requestId: request.id, operation, err: thrown }, 'request failed');
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', String(answer.retryAfterSeconds));
  if ((answer.status === 401 || answer.status === 429) && !(error instanceof AppError && error.code === 'ip_blocked')) {
    options.admission.recordRefusal(request.ip);
  }
  return reply.code(answer.status).header('content-type', jsonType).send(JSON.stringify(answer.body));
}

/** The framework's own errors in our codes; anything else stays what it is. */
function documented(thrown: unknown): unknown {
  const code = (thrown as Partial<FastifyError> | null)?.code;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large', { cause: thrown });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type', { cause: thrown });
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP_'))
    return new AppError('bad_request', { cause: thrown });
  return thrown;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The process was asked to stop: answers tell clients to open no more requests on their connection. */
    draining: boolean;
  }
  interface FastifyContextConfig {
    family?: Family;
    operationId?: string;
  }
}
