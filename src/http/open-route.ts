import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../errors.ts';
import type { Exchange } from './exchange.ts';
import { readBody } from './request-body.ts';
import type { Route } from './routing/route.ts';
import type { RequestMetrics } from './timing/request-metrics.ts';
import { type CallStages, nextStage, stage } from './timing/stage-times.ts';

/** A request without a key; its receiver verifies who sent it. */
export interface OpenRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly stages: CallStages;
  /** The raw body; null when it is larger than `maxBytes`, which must then be answered. */
  body(maxBytes: number): Buffer | null | Promise<Buffer | null>;
}

/** The response to such a request; without a type it has no body. */
export interface OpenAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** A path that takes no key. Requests are never refused for their address, and refusals do not count for the address block. */
export interface OpenPath {
  readonly method: 'GET' | 'POST';
  /** In OpenAPI's notation. */
  readonly path: string;
  readonly operationId: string;
  answer(request: OpenRequest): OpenAnswer | Promise<OpenAnswer>;
}

export function openRoute({ method, path, operationId, answer }: OpenPath, metrics: RequestMetrics): Route {
  return {
    method,
    path,
    family: 'gates',
    operation: metrics.operation(operationId),
    serve(exchange) {
      const { params, request, id: requestId, stages } = exchange;
      const body: OpenRequest['body'] = (maxBytes) => bodyOf(exchange, maxBytes);
      const answered = answer({ params, headers: request.headers, requestId, stages, body });
      return nextStage(stages, stage.answer, answered, (made) => send(exchange, made));
    },
  };
}

function bodyOf(exchange: Exchange, maxBytes: number): Buffer | null | Promise<Buffer | null> {
  const body = readBody(exchange.request, { maxBytes, isProven: false });
  return body instanceof Promise ? body.catch((error) => tooLarge(exchange, error)) : body;
}

/** The bytes after an incomplete body are not the next request, so the connection is closed. */
function tooLarge(exchange: Exchange, error: unknown): null {
  exchange.closeAfter();
  if (error instanceof AppError && error.code === 'payload_too_large') return null;
  throw error;
}

function send(exchange: Exchange, { status, type, text }: OpenAnswer): void {
  if (type === null) exchange.sendNothing(status);
  else exchange.send(status, type, text);
}
