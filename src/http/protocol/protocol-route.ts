import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../errors.ts';
import { mayBeRefused } from '../account-work.ts';
import { type Body, type Call, type Caller, type Endpoint, laneOf } from '../endpoint.ts';
import { type EndpointMount, perform, type RouteOptions, withBody } from '../endpoint-route.ts';
import { statusOf } from '../error-shapes.ts';
import type { Exchange } from '../exchange.ts';
import { admitByKey, keyMount, requirePlan } from '../key-mount.ts';
import { recordFailure } from '../record-failure.ts';
import { callerOf, RequestCall } from '../request-call.ts';
import type { Route } from '../routing/route.ts';
import type { RequestMetrics } from '../timing/request-metrics.ts';
import { nextStage, stage } from '../timing/stage-times.ts';
import { isCrossOrigin } from './cross-origin.ts';

/** The input of an endpoint that is called through another protocol. */
export type Forwarded = Pick<Call, 'params' | 'query' | 'body'>;

/** A request with a key to another protocol. */
export interface ProtocolRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  readonly caller: Caller;
  /**
   * Calls an endpoint for the caller, with the plan and credits that its own path requires. Resolves with the text of its
   * response, empty where it has none; rejects with the error that it threw.
   */
  call(endpoint: Endpoint, sent: Forwarded): Promise<string>;
}

/** The response to such a request; null is no body. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly text: string | null;
}

/** A protocol behind one path: every request is a POST, admitted by its key as requests to endpoints are. */
export interface Protocol {
  readonly path: string;
  /** The operation that its requests count as, unless they call an endpoint. */
  readonly operationId: string;
  answer(request: ProtocolRequest): Promise<ProtocolAnswer>;
}

const crossOrigin = 'Web pages of other origins may not call this.';

/** The route to a protocol; each of its requests is counted once: as the endpoint that it calls, else as itself. */
export function protocolRoute(protocol: Protocol, options: RouteOptions, metrics: RequestMetrics): Route {
  const { path, operationId } = protocol;
  const mount = keyMount(options);
  return {
    method: 'POST',
    path,
    family: 'gates',
    operation: metrics.operation(operationId),
    serve(exchange) {
      if (isCrossOrigin(exchange.request.headers.origin, options.publicUrl)) {
        throw new AppError('cross_site', { message: crossOrigin });
      }
      return nextStage(exchange.stages, stage.body, admitByKey({ plan: 'any' }, options, exchange), () =>
        withBody(exchange, (body) => respond(protocol, body(), exchange, mount, metrics)),
      );
    },
  };
}

async function respond(
  { answer }: Protocol,
  body: Body,
  exchange: Exchange,
  mount: EndpointMount,
  metrics: RequestMetrics,
): Promise<void> {
  const countAs = ({ operationId }: Endpoint, status: number): void => {
    exchange.operation = metrics.operation(operationId);
    exchange.countedStatus = status;
  };
  exchange.stages.enter(stage.work);
  const { status, text } = await answer({
    headers: exchange.request.headers,
    body,
    caller: callerOf(exchange),
    async call(endpoint, sent) {
      try {
        const answered = await forward(endpoint, sent, exchange, mount);
        countAs(endpoint, endpoint.status ?? 200);
        return answered;
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'server_error';
        const status = statusOf(code, endpoint.family);
        countAs(endpoint, status);
        recordFailure(error, { operation: endpoint.operationId, status }, exchange, mount.server, metrics);
        throw error;
      }
    },
  });
  if (text === null) exchange.sendNothing(status);
  else exchange.sendJson(status, text);
}

async function forward(endpoint: Endpoint, sent: Forwarded, exchange: Exchange, mount: EndpointMount): Promise<string> {
  const { server } = mount;
  const caller = callerOf(exchange);
  requirePlan(endpoint, caller);
  if (mayBeRefused(laneOf(endpoint))) server.work.check(caller.accountId);
  exchange.stages.enter(stage.meter);
  const output = await perform(endpoint, server, exchange, new RequestCall(exchange, sent, () => sent.body, mount));
  // As on its own path, properties that the schema does not name are left out.
  return endpoint.textOf(output) ?? '';
}
