import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { jsonType } from '../answers/send-answer.ts';
import { parseBody } from '../body-parser.ts';
import type { Body, Call, Caller, Endpoint } from '../endpoint.ts';
import { statusOf } from '../error-shapes.ts';
import { admit, type Mounting, perform, RequestCall } from '../mount-endpoint.ts';
import { noteFailure } from '../note-failure.ts';
import { readBody } from '../request-body.ts';
import type { RequestMetrics } from '../request-metrics.ts';
import { isForeign } from './own-origin.ts';

/** What is sent to an endpoint by another way than its path. */
export type Forwarded = Pick<Call, 'params' | 'query' | 'body'>;

/** A request with a key, to a protocol that is not ours. */
export interface ProtocolRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  readonly caller: Caller;
  /**
   * Has an endpoint do its work for the caller, with the plan and the credits it needs on its own path. Gives the text of
   * its answer, empty where it has none; rejects with whatever it threw.
   */
  call(endpoint: Endpoint, sent: Forwarded): Promise<string>;
}

/** The answer to such a request; null is no body. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly text: string | null;
}

/** A protocol behind one path: everything is a POST, and a key lets it in as it lets in to the endpoints. */
export interface Protocol {
  readonly path: string;
  /** What its requests are counted as, unless they call an endpoint. */
  readonly operationId: string;
  answer(request: ProtocolRequest): Promise<ProtocolAnswer>;
}

interface Counted {
  readonly operation: string;
  readonly status: number;
}

const foreign = 'Web pages of other origins may not call this.';

/** Mounts a protocol; each of its requests is counted once: as the endpoint that it calls, else as itself. */
export function mountProtocol(
  app: FastifyInstance,
  { path, operationId, answer }: Protocol,
  options: Mounting,
  metrics: RequestMetrics,
): void {
  app.route({
    method: 'POST',
    url: path,
    config: { family: 'gates', operationId },
    onRequest(request, reply, done) {
      if (isForeign(request.headers.origin, options.publicUrl)) done(new AppError('cross_site', { message: foreign }));
      else admit({ plan: 'any' }, options, request, reply, done);
    },
    async handler(request, reply) {
      const body = parseBody(await bytesOf(request, reply), request.headers);
      const { headers } = request;
      let isCounted = false;
      const count = ({ operation, status }: Counted): void => {
        isCounted = true;
        metrics.operation(operation)(status, request.startedAtMs);
        options.answered(request, operation, status);
      };
      const { status, text } = await answer({
        headers,
        body,
        caller: callerOf(request),
        async call(endpoint, sent) {
          try {
            const answered = await forward(endpoint, sent, request, options);
            count({ operation: endpoint.operationId, status: endpoint.status ?? 200 });
            return answered;
          } catch (error) {
            isCounted = true;
            const code = error instanceof AppError ? error.code : 'server_error';
            const failed = { operation: endpoint.operationId, status: statusOf(code, endpoint.family) };
            noteFailure(error, failed, request, options, metrics);
            throw error;
          }
        },
      });
      if (!isCounted) count({ operation: operationId, status });
      reply.code(status);
      return text === null ? reply.send() : reply.header('content-type', jsonType).send(text);
    },
  });
}

async function forward(
  endpoint: Endpoint,
  sent: Forwarded,
  request: FastifyRequest,
  options: Mounting,
): Promise<string> {
  const { caller, requestId, author, baseUrl } = new RequestCall(request, sent.body, '', options);
  if (endpoint.plan === 'pro' && !caller.plan.pro) throw new AppError('pro_only');
  const output = await perform(endpoint, options, { ...sent, caller, requestId, author, baseUrl });
  // As on its own path: what the schema does not name stays here.
  return endpoint.textOf(output) ?? '';
}

function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('a protocol was spoken before its caller was identified');
  return caller;
}

function bytesOf(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readBody(request.raw, (error, bytes) => {
      if (error === null) {
        resolve(bytes);
        return;
      }
      reply.header('connection', 'close');
      reject(error);
    });
  });
}
