import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type onRequestHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { AppError } from '../errors.ts';
import { createSeldomLog } from '../log.ts';
import { isUlid, ulid } from '../ulid.ts';
import type { Admission } from './admission.ts';
import { addAnswerHeaders, jsonType } from './answers/send-answer.ts';
import { createClientAddresses, type TrustProxy } from './client-address.ts';
import { createConnections } from './connections/connections.ts';
import { mountConsoleFiles } from './console/console-files.ts';
import { type ConsoleServing, consoleApi, environmentApi } from './console/console-serving.ts';
import { mountConsole } from './console/mount-console.ts';
import { type Endpoint, type Family, isPublic } from './endpoint.ts';
import { errorAnswer } from './error-shapes.ts';
import { type Door, keyDoor, type Mounting, methodsWithBody, mountEndpoint } from './mount-endpoint.ts';
import { noteFailure } from './note-failure.ts';
import { mountOperations, operationRoutes, type Page } from './operations.ts';
import { familyOfPath, methodTable, pathOf, routableUrl, routerPath } from './paths.ts';
import { mountProtocol, type Protocol } from './protocol/mount-protocol.ts';
import { createAccessLog, createRequestMetrics, type RequestMetrics } from './request-metrics.ts';

/** What the HTTP layer needs from the rest of the service. */
export interface ServerOptions {
  /** Those for the console alone included. */
  readonly endpoints: readonly Endpoint[];
  readonly admission: Admission;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Given how to make the metrics of this process, how to make those of all that serve together. */
  readonly joinMetrics?: ((own: () => Promise<string>) => () => Promise<string>) | undefined;
  /** The texts that anybody may read. */
  readonly pages: readonly Page[];
  /** What is spoken besides HTTP's own manner, each behind one path. */
  readonly protocols?: readonly Protocol[];
  /** The console; without it nothing is under `/console`. */
  readonly console?: ConsoleServing;
  readonly publicUrl: string | null;
  readonly allowKeyInQuery: boolean;
  readonly trustProxy: TrustProxy;
  /** What `/metrics` asks for; null leaves it to direct requests from this machine. */
  readonly metricsToken: string | null;
  /** Whether each answer is logged. */
  readonly accessLog: boolean;
  readonly now: () => number;
  /** Rejects with the reason while the service cannot serve. */
  ready(): Promise<void>;
  /** What an operator should know although the service serves. */
  remarks(): Readonly<Record<string, string>>;
}

/** The HTTP server with every endpoint mounted; nothing listens yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const connections = createConnections(options.now);
  const mounting: Mounting = {
    ...options,
    addresses: createClientAddresses(options.trustProxy),
    answered: createAccessLog(options.accessLog ? options.log : null),
    logSeldom: createSeldomLog(options.log),
  };
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: (request) => {
      const own = request.headers['x-request-id'];
      return typeof own === 'string' && isUlid(own) ? own : ulid(options.now());
    },
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    // As long as a request line may be: what is too long is for the endpoint to say.
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Inputs read themselves and answers are written by `json-writer.ts`: what would compile schemas is not even loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    serverFactory: connections.listen,
    clientErrorHandler: connections.answerClientError,
  });
  const metrics = createRequestMetrics();
  const refuseUnknown = notFound(mounting, metrics);
  leaveBodiesUnread(app);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAtMs = performance.now();
    if (request.is404) refuseUnknown(request, reply, done);
    else done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    addAnswerHeaders(request, reply);
    done();
  });
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('caller', null);
  app.decorateRequest('throughput', null);
  app.decorate('draining', false);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, mounting, metrics));
  app.addHook('preClose', connections.stop);
  mountOperations(app, mounting, metrics);
  const mount = (endpoint: Endpoint, door: Door): void => {
    mountEndpoint(app, endpoint, door, mounting, metrics);
    if (endpoint.isNoValue) refuseOtherMethods(app, endpoint, door, refuseUnknown);
  };
  const open = keyDoor(mounting);
  for (const endpoint of options.endpoints.filter(isPublic)) mount(endpoint, open);
  for (const protocol of options.protocols ?? []) mountProtocol(app, protocol, mounting, metrics);
  if (options.console !== undefined) {
    mountConsoleFiles(app, options.console.files);
    const door = mountConsole(app, options.console, mounting, metrics);
    for (const endpoint of options.endpoints) mount(endpoint, door);
  }
  return app;
}

function noCompiler(): never {
  throw new Error('a route has a schema: endpoints describe their input and answers themselves');
}

/** The router would take the last segment of the path for a value in every method that the endpoint itself does not have. */
function refuseOtherMethods(app: FastifyInstance, endpoint: Endpoint, door: Door, refuse: onRequestHookHandler): void {
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => method !== endpoint.method),
    url: routerPath(door.prefix + endpoint.path),
    config: { family: endpoint.family, isConsole: door.isConsole },
    onRequest: refuse,
    handler: () => null,
  });
}

/** Each endpoint reads its body itself, because each family says something else about a bad one. */
function leaveBodiesUnread(app: FastifyInstance): void {
  for (const method of methodsWithBody) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
}

/** What the paths of the console accept, for 405. */
function consoleRoutes({ console, endpoints }: Mounting): { method: string; path: string; isNoValue?: boolean }[] {
  if (console === undefined) return [];
  const again = endpoints.map((endpoint) => ({ ...endpoint, path: environmentApi + endpoint.path }));
  return [...again, ...console.endpoints.map(({ method, path }) => ({ method, path: consoleApi + path }))];
}

function notFound(options: Mounting, metrics: RequestMetrics) {
  const methodsOf = methodTable([
    ...options.endpoints.filter(isPublic),
    ...operationRoutes(options),
    ...(options.protocols ?? []).map(({ path }) => ({ method: 'POST', path })),
    ...consoleRoutes(options),
  ]);
  return (request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void): void => {
    const path = pathOf(request.url);
    const family = familyOfPath(path);
    const methods = methodsOf(path);
    if (family === 'gates-v0') {
      metrics.operation('unknown')(404, request.startedAtMs);
      options.answered(request, 'unknown', 404);
      // The query is left out: it may hold a key.
      const message = `Route ${request.method}:${path} not found`;
      reply.code(404).send({ message, error: 'Not Found', statusCode: 404 });
    } else if (methods.length === 0) {
      done(new AppError('not_found'));
    } else if (request.method === 'OPTIONS' && family === 'lookup') {
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
          'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id',
          'access-control-max-age': '86400',
        })
        .send();
    } else {
      reply.header('allow', methods.join(', '));
      done(new AppError('method_not_allowed'));
    }
  };
}

function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Mounting,
  metrics: RequestMetrics,
): FastifyReply {
  const family: Family = request.routeOptions.config.family ?? familyOfPath(pathOf(request.url));
  const answer = errorAnswer(thrown, family, request.id);
  const operation = request.routeOptions.config.operationId ?? 'unknown';
  noteFailure(thrown, { operation, status: answer.status }, request, options, metrics);
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', String(answer.retryAfterSeconds));
  return reply.code(answer.status).header('content-type', jsonType).send(JSON.stringify(answer.body));
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The process was asked to stop: answers tell clients to open no more requests on their connection. */
    draining: boolean;
  }
  interface FastifyContextConfig {
    family?: Family;
    operationId?: string;
    /** What is refused there does not count against the address. */
    isConsole?: boolean;
  }
}
