import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { parseBody } from '../body-parser.ts';
import { type Body, type Endpoint, environments } from '../endpoint.ts';
import { type Done, type Door, limit, type Mounting } from '../mount-endpoint.ts';
import { routerPath } from '../paths.ts';
import { readBody } from '../request-body.ts';
import type { RequestMetrics } from '../request-metrics.ts';
import type { ConsoleEndpoint } from './console-endpoint.ts';
import { type ConsoleServing, consoleApi, environmentApi } from './console-serving.ts';
import { createReception, type Reception } from './reception.ts';
import type { SessionAdmission, Visitor } from './visit.ts';

const noBody: Body = { kind: 'absent' };

/** Mounts the endpoints that belong to no environment, and gives the way to all others. */
export function mountConsole(
  app: FastifyInstance,
  { endpoints, sessions }: ConsoleServing,
  options: Mounting,
  metrics: RequestMetrics,
): Door {
  app.decorateRequest('visitor', null);
  const reception = createReception(sessions, options);
  for (const endpoint of endpoints) mountConsoleEndpoint(app, endpoint, reception, sessions, options, metrics);
  return sessionDoor(reception, sessions, options);
}

function mountConsoleEndpoint(
  app: FastifyInstance,
  endpoint: ConsoleEndpoint,
  reception: Reception,
  sessions: SessionAdmission,
  options: Mounting,
  metrics: RequestMetrics,
): void {
  const { method, path, operationId, access, status = 200 } = endpoint;
  const record = metrics.operation(operationId);
  app.route({
    method,
    url: routerPath(consoleApi + path),
    config: { family: 'gates', operationId, isConsole: true },
    async onRequest(request, reply) {
      guard(reply);
      reception.check(request);
      if (access === 'anybody') return;
      request.visitor = await reception.admit(request, access);
      const { allowed, retryAfterSeconds } = sessions.takeToken(request.visitor);
      if (!allowed) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
    },
    async handler(request, reply) {
      const { params, query, visitor } = request;
      const body = method === 'GET' ? noBody : await bodyOf(request, reply);
      const sent = { params: params as Record<string, string>, query, body };
      const answer = await endpoint.answer(sent, reception.visit(request, reply, visitor));
      record(status, request.startedAtMs);
      options.answered(request, operationId, status);
      return reply.code(status).send(answer);
    },
  });
}

function bodyOf(request: FastifyRequest, reply: FastifyReply): Promise<Body> {
  return new Promise((resolve, reject) => {
    readBody(request.raw, (error, bytes) => {
      if (error === null) {
        resolve(parseBody(bytes, request.headers));
        return;
      }
      reply.header('connection', 'close');
      reject(error);
    });
  });
}

/** The console's way to the endpoints of an environment: a session says whose a request is, never a key. */
function sessionDoor(reception: Reception, sessions: SessionAdmission, options: Mounting): Door {
  return {
    prefix: environmentApi,
    isConsole: true,
    admit(endpoint, request, reply, done) {
      guard(reply);
      admitTo(endpoint, request).then((go) => go(endpoint, reply, done), done);
    },
  };

  type Go = (endpoint: Endpoint, reply: FastifyReply, done: Done) => void;

  async function admitTo(endpoint: Endpoint, request: FastifyRequest): Promise<Go> {
    const { environment: name } = request.params as Record<string, string>;
    const environment = environments.find((known) => known === name);
    if (environment === undefined) throw new AppError('not_found');
    reception.check(request);
    const visitor = await reception.admit(request, 'member');
    const caller = await sessions.callerOf(visitor, environment);
    if (caller === null) throw new AppError('session_required');
    request.caller = caller;
    // What costs credits is held to the plan like any other; people who look at pages take nothing from the account's keys.
    const throughput = endpoint.chargeable ? await options.admission.takeToken(caller) : sessions.takeToken(visitor);
    return (of, reply, done) => limit(of, caller, throughput, reply, done);
  }
}

/** Nobody else's page may read an answer, by whatever way it asks for it. */
function guard(reply: FastifyReply): void {
  reply.header('cross-origin-resource-policy', 'same-origin');
  reply.header('referrer-policy', 'no-referrer');
}

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null;
  }
}
