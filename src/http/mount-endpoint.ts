import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Throughput } from './admission.ts';
import type { Body, Call, Caller, Endpoint, Prepared } from './endpoint.ts';
import { keyInHeader } from './presented-key.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { allowAnyOrigin, type ServerOptions } from './server.ts';

type Done = (error?: Error) => void;

/**
 * Mounts one endpoint with everything that stands before its handler, in the documented order: address block, key,
 * throughput and plan before the body is read; then input, object, credits, work.
 */
export function mountEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  options: ServerOptions,
  metrics: RequestMetrics,
): void {
  const status = endpoint.status ?? 200;
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { family: endpoint.family, operationId: endpoint.operationId },
    ...(endpoint.schemas.response === undefined
      ? {}
      : { schema: { response: { [status]: endpoint.schemas.response } } }),
    onRequest: (request, reply, done) => admit(endpoint, options, request, reply, done),
    handler: async (request, reply) => {
      const output = await perform(endpoint, options, createCall(request, options));
      metrics.record(endpoint.operationId, status, request.startedAtMs);
      reply.code(status);
      return output;
    },
  });
}

function admit(
  endpoint: Endpoint,
  options: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  done: Done,
): void {
  const { admission } = options;
  if (endpoint.family === 'lookup') allowAnyOrigin(reply);
  const blockedSeconds = admission.blockedForSeconds(request.ip);
  if (blockedSeconds > 0) {
    done(new AppError('ip_blocked', { retryAfterSeconds: blockedSeconds }));
    return;
  }
  const key = keyInHeader(request.headers.authorization) ?? keyInQuery(request, options);
  if (key === null) {
    done(new AppError('key_required'));
    return;
  }
  const welcome = (caller: Caller | null): void => {
    if (caller === null) {
      done(new AppError('unauthorized'));
      return;
    }
    request.caller = caller;
    const throughput = admission.takeToken(caller);
    if (throughput instanceof Promise)
      throughput.then((settled) => limit(endpoint, caller, settled, reply, done), done);
    else limit(endpoint, caller, throughput, reply, done);
  };
  const caller = admission.identify(key);
  if (caller instanceof Promise) caller.then(welcome, done);
  else welcome(caller);
}

function limit(endpoint: Endpoint, caller: Caller, throughput: Throughput, reply: FastifyReply, done: Done): void {
  reply.header('x-ratelimit-limit', String(throughput.limit));
  reply.header('x-ratelimit-remaining', String(throughput.remaining));
  if (!throughput.allowed)
    done(new AppError('rate_limit_exceeded', { retryAfterSeconds: throughput.retryAfterSeconds }));
  else if (endpoint.plan === 'pro' && !caller.plan.pro) done(new AppError('pro_only'));
  else done();
}

async function perform(endpoint: Endpoint, { admission }: ServerOptions, call: Call): Promise<unknown> {
  const preparing = endpoint.prepare(call);
  const prepared: Prepared = preparing instanceof Promise ? await preparing : preparing;
  if (prepared.credits === 0) return prepared.work();
  const reserving = admission.reserveCredits(call.caller, prepared.credits);
  const reservation = reserving instanceof Promise ? await reserving : reserving;
  if (!reservation.granted) throw new AppError('quota_exceeded', { retryAfterSeconds: reservation.resetInSeconds });
  try {
    return await prepared.work();
  } catch (error) {
    reservation.release(prepared.credits);
    throw error;
  }
}

const noBody: Body = { kind: 'absent' };

function createCall(request: FastifyRequest, options: ServerOptions): Call {
  const { caller } = request;
  if (caller === null) throw new Error('an endpoint ran before its caller was identified');
  return {
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | string[] | undefined>,
    body: (request.body as Body | undefined) ?? noBody,
    caller,
    requestId: request.id,
    get baseUrl() {
      return options.publicUrl ?? `${request.protocol}://${request.host}`;
    },
  };
}

function keyInQuery(request: FastifyRequest, options: ServerOptions): string | null {
  if (!options.allowKeyInQuery) return null;
  const { key } = request.query as Record<string, unknown>;
  return typeof key === 'string' && key !== '' ? key : null;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    startedAtMs: number;
  }
}
