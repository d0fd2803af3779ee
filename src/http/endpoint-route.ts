import { AppError } from '../errors.ts';
import type { ThrottledLog } from '../log.ts';
import { countHighPriority } from '../platform/low-priority.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { type AccountWork, mayBeRefused } from './account-work.ts';
import type { Admission, Granted, Reservation } from './admission.ts';
import { parseBody } from './body-parser.ts';
import type { ClientAddresses } from './client-address.ts';
import { type Body, type Call, type Endpoint, laneOf, type Prepared } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { KnownHosts } from './known-hosts.ts';
import { readBody } from './request-body.ts';
import { callerOf, RequestCall } from './request-call.ts';
import type { Route } from './routing/route.ts';
import type { ServerOptions } from './server.ts';
import type { SessionContext } from './session-api/session-context.ts';
import type { RequestMetrics } from './timing/request-metrics.ts';
import { nextStage, stage } from './timing/stage-times.ts';

/** The methods whose requests may carry a body. */
const methodsWithBody: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The dependencies of every route. */
export interface RouteOptions extends ServerOptions {
  readonly addresses: ClientAddresses;
  readonly hosts: KnownHosts;
  readonly logThrottled: ThrottledLog;
  readonly work: AccountWork;
  /** Whether the process was asked to stop. */
  readonly isDraining: () => boolean;
}

/** A mount of endpoints: their paths, and how the caller of a request is identified. */
export interface EndpointMount {
  /** Precedes the path of every endpoint, in OpenAPI's notation. */
  readonly prefix: string;
  readonly isConsole: boolean;
  readonly server: RouteOptions;
  /** Whether an endpoint is reached through this mount. */
  includes(endpoint: Endpoint): boolean;
  /** Sets the caller of a request, or rejects it, before its body is read. */
  admit(endpoint: Endpoint, exchange: Exchange): void | Promise<void>;
  /** The session of a request; null where a key identifies the caller. */
  sessionOf(exchange: Exchange): SessionContext | null;
}

/**
 * The route to one endpoint with every check before its handler, in the documented order: address block, key,
 * throughput, plan and processing time before the body is read; then input, object, credits, work.
 */
export function endpointRoute(endpoint: Endpoint, mount: EndpointMount, metrics: RequestMetrics): Route {
  const { method, family, operationId, reserved, status = 200 } = endpoint;
  const { server } = mount;
  const lane = laneOf(endpoint);
  const isRefusable = !mount.isConsole && mayBeRefused(lane);
  const send = (output: unknown, exchange: Exchange): void => {
    const text = endpoint.textOf(output);
    if (text === undefined) exchange.sendNothing(status);
    else exchange.sendJson(status, text);
  };
  // A warm response needs no promise: `async` here costs 7 % of it (docs/decisions/0038-stage-timings-and-one-request-queue.md).
  const answer = (exchange: Exchange, body: () => Body): unknown =>
    mapMaybePromise(perform(endpoint, server, exchange, new RequestCall(exchange, exchange, body, mount)), (output) =>
      send(output, exchange),
    );
  const takesBody = methodsWithBody.includes(method);
  const firstStage = takesBody ? stage.body : stage.meter;
  const answerBody = (exchange: Exchange): unknown => withBody(exchange, (body) => answer(exchange, body));
  const respond = (exchange: Exchange): unknown => {
    if (!takesBody) return answer(exchange, absentBody);
    const accountId = accountOf(exchange);
    if (lane === null || accountId === undefined || exchange.request.complete) return answerBody(exchange);
    return server.work.withBody(
      accountId,
      () => exchange.whenAbandoned(),
      () => answerBody(exchange),
    );
  };
  return {
    method,
    path: mount.prefix + endpoint.path,
    reserved,
    family,
    operation: metrics.operation(operationId),
    isConsole: mount.isConsole,
    serve: (exchange) =>
      nextStage(exchange.stages, firstStage, mount.admit(endpoint, exchange), () => {
        if (isRefusable) server.work.check(callerOf(exchange).accountId);
        return respond(exchange);
      }),
  };
}

/** The account that a request is charged to; before the sign-in, the cost belongs to no account. */
const accountOf = ({ caller, sessionUser }: Exchange): string | undefined =>
  caller?.accountId ?? sessionUser?.accountId;

/** Reads the body of a request, and continues with a function that parses it. */
export function withBody(exchange: Exchange, continueWith: (body: () => Body) => unknown): unknown {
  const { request, stages } = exchange;
  const body = readBody(request);
  const read = body instanceof Promise ? body.catch((error) => closeAndThrow(exchange, error)) : body;
  return nextStage(stages, stage.meter, read, (bytes) => continueWith(() => parseBody(bytes, request.headers)));
}

/** The bytes after an incomplete body are not the next request, so the connection is closed. */
function closeAndThrow(exchange: Exchange, error: unknown): never {
  exchange.closeAfter();
  throw error;
}

/** Prepares a call and runs its handler within the caller's credits. */
export function perform(
  endpoint: Endpoint,
  { admission, work }: RouteOptions,
  exchange: Exchange,
  call: Call,
): unknown {
  const run = (): unknown => mapMaybePromise(endpoint.prepare(call), (prepared) => meter(prepared, admission, call));
  const lane = laneOf(endpoint);
  if (lane === null) {
    countHighPriority();
    return run();
  }
  const accountId = accountOf(exchange);
  return accountId === undefined ? run() : work.run(accountId, lane, run, () => exchange.whenAbandoned());
}

function meter(prepared: Prepared, admission: Admission, call: Call): unknown {
  const reservation = prepared.credits === 0 ? null : admission.reserveCredits(call.caller, prepared.credits);
  return nextStage(call.stages, stage.work, reservation, (reserved) =>
    reserved === null ? prepared.work() : charge(prepared, reserved),
  );
}

/** Too few credits are not the same as none. */
function notEnoughCredits(needed: number, left: number): AppError {
  if (left === 0) return new AppError('quota_exceeded');
  const message = `This costs ${needed} credits and ${left} ${left === 1 ? 'is' : 'are'} left. Wait for the reset or enable overage.`;
  return new AppError('quota_exceeded', { message });
}

function charge(prepared: Prepared, reservation: Reservation): unknown {
  if (!reservation.granted) throw notEnoughCredits(prepared.credits, reservation.left);
  try {
    const output = prepared.work();
    return output instanceof Promise ? output.catch((error) => releaseCredits(error, prepared, reservation)) : output;
  } catch (error) {
    return releaseCredits(error, prepared, reservation);
  }
}

function releaseCredits(error: unknown, { credits }: Prepared, reservation: Granted): never {
  reservation.release(credits);
  throw error;
}

const absentBody = (): Body => ({ kind: 'absent' });
