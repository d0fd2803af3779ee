import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import type { ThrottledLog } from '../log.ts';
import { countHighPriority } from '../platform/low-priority.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import type { AccountWork } from './account-work.ts';
import type { Admission, Anonymous, Granted, Reservation, Throughput } from './admission.ts';
import { parseBody } from './body-parser.ts';
import type { ClientAddresses } from './client-address.ts';
import type { Author, Body, Call, Caller, Endpoint, Prepared } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { KnownHosts } from './known-hosts.ts';
import { keyInHeader } from './presented-key.ts';
import { readBody } from './request-body.ts';
import type { Route } from './routing/route.ts';
import type { ServerOptions } from './server.ts';
import type { RequestMetrics } from './timing/request-metrics.ts';
import { type CallStages, nextStage, stage } from './timing/stage-times.ts';

/** The methods whose requests may carry a body. */
const methodsWithBody: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** What every route needs. */
export interface RouteOptions extends ServerOptions {
  readonly addresses: ClientAddresses;
  readonly hosts: KnownHosts;
  readonly logThrottled: ThrottledLog;
  readonly work: AccountWork;
  /** Whether the process was asked to stop. */
  readonly isDraining: () => boolean;
}

/** A mount of the endpoints: their paths, and how the caller of a request is identified. */
export interface EndpointMount {
  /** Precedes the path of every endpoint, in OpenAPI's notation. */
  readonly prefix: string;
  readonly isConsole: boolean;
  /** Sets the caller of a request, or rejects it, before its body is read. */
  admit(endpoint: Endpoint, exchange: Exchange): void | Promise<void>;
}

/** The public mount: a key identifies the caller. */
export function keyMount(options: RouteOptions): EndpointMount {
  return { prefix: '', isConsole: false, admit: (endpoint, exchange) => admit(endpoint, options, exchange) };
}

/**
 * The route to one endpoint with every check before its handler, in the documented order: address block, key,
 * throughput and plan before the body is read; then input, object, credits, work.
 */
export function endpointRoute(
  endpoint: Endpoint,
  mount: EndpointMount,
  options: RouteOptions,
  metrics: RequestMetrics,
): Route {
  const { method, family, operationId, reserved, status = 200, load = 'usual' } = endpoint;
  const send = (output: unknown, exchange: Exchange): void => {
    const text = endpoint.textOf(output);
    if (text === undefined) exchange.sendNothing(status);
    else exchange.sendJson(status, text);
  };
  // A warm response needs no promise: `async` here costs 7 % of it (docs/decisions/0038-stage-timings-and-one-request-queue.md).
  const answer = (exchange: Exchange, body: () => Body): unknown =>
    mapMaybePromise(perform(endpoint, options, new RequestCall(exchange, body, mount.prefix, options)), (output) =>
      send(output, exchange),
    );
  const takesBody = methodsWithBody.includes(method);
  const firstStage = takesBody ? stage.body : stage.meter;
  const respond = takesBody
    ? (exchange: Exchange) => withBody(exchange, (body) => answer(exchange, body))
    : (exchange: Exchange) => answer(exchange, absentBody);
  return {
    method,
    path: mount.prefix + endpoint.path,
    reserved,
    family,
    operation: metrics.operation(operationId),
    isConsole: mount.isConsole,
    serve: (exchange) =>
      nextStage(exchange.stages, firstStage, mount.admit(endpoint, exchange), () => {
        if (load !== 'light') options.work.check(callerOf(exchange).accountId, load, takesBody);
        return respond(exchange);
      }),
  };
}

/** Reads the body of a request, and continues with a function that parses it. */
export function withBody(exchange: Exchange, continueWith: (body: () => Body) => unknown): unknown {
  const { request, stages } = exchange;
  const body = readBody(request);
  const read = body instanceof Promise ? body.catch((error) => closeAndThrow(exchange, error)) : body;
  return nextStage(stages, stage.meter, read, (bytes) => continueWith(() => parseBody(bytes, request.headers)));
}

/** What follows an incomplete body is not the next request. */
function closeAndThrow(exchange: Exchange, error: unknown): never {
  exchange.closeAfter();
  throw error;
}

/** What admission depends on. */
type Admitted = Pick<Endpoint, 'plan' | 'anonymous'>;

/** Sets the caller to whom the key of a request belongs, or rejects the request. */
export function admit(endpoint: Admitted, options: RouteOptions, exchange: Exchange): void | Promise<void> {
  const { admission } = options;
  const { request } = exchange;
  const ip = options.addresses.of(request);
  const key = keyInHeader(request.headers.authorization) ?? keyInQuery(exchange, options);
  const blockedSeconds = admission.blockedForSeconds(ip);
  // An abusive client must not lock out customers who share its address.
  if (blockedSeconds > 0 && (key === null || !admission.isKnown(key))) {
    throw new AppError('ip_blocked', { retryAfterSeconds: blockedSeconds });
  }
  if (key === null) {
    const anonymous = endpoint.anonymous === true ? admission.takeAnonymous(ip) : null;
    return mapMaybePromise(anonymous, (resolved) => admitAnonymous(resolved, exchange));
  }
  return mapMaybePromise(admission.identify(key), (caller) => admitCaller(endpoint, admission, caller, exchange));
}

function admitAnonymous(anonymous: Anonymous | null, exchange: Exchange): void {
  if (anonymous === null) throw new AppError('key_required');
  const { caller, retryAfterSeconds } = anonymous;
  exchange.caller = caller;
  if (retryAfterSeconds > 0) throw new AppError('anonymous_limit_reached', { retryAfterSeconds });
}

function admitCaller(
  endpoint: Admitted,
  admission: Admission,
  caller: Caller | null,
  exchange: Exchange,
): void | Promise<void> {
  if (caller === null) throw new AppError('unauthorized');
  exchange.caller = caller;
  return mapMaybePromise(admission.takeToken(caller), (throughput) => limit(endpoint, caller, throughput, exchange));
}

/** Rejects a request without a token, or to an endpoint that the plan does not include. */
export function limit(endpoint: Admitted, caller: Caller, throughput: Throughput, exchange: Exchange): void {
  exchange.throughput = throughput;
  const { allowed, retryAfterSeconds } = throughput;
  if (!allowed) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
  if (endpoint.plan === 'pro' && !caller.plan.pro) throw new AppError('pro_only');
}

/** Prepares a call and runs its handler within the caller's credits. */
export function perform(endpoint: Endpoint, { admission, work }: RouteOptions, call: Call): unknown {
  const run = (): unknown => mapMaybePromise(endpoint.prepare(call), (prepared) => meter(prepared, admission, call));
  const { load = 'usual' } = endpoint;
  if (load !== 'light') return work.run(call.caller.accountId, load, run);
  countHighPriority();
  return run();
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

function callerOf({ caller }: Exchange): Caller {
  if (caller === null) throw new Error('an endpoint ran before its caller was identified');
  return caller;
}

/** A request as endpoints see it. A class, because creating an object literal with getters is far slower. */
export class RequestCall implements Call {
  readonly params: Call['params'];
  readonly query: Call['query'];
  readonly caller: Caller;
  readonly requestId: string;
  readonly stages: CallStages;
  readonly #readBody: () => Body;
  #body: Body | null = null;
  readonly #request: IncomingMessage;
  readonly #prefix: string;
  readonly #server: RouteOptions;

  constructor(exchange: Exchange, body: () => Body, prefix: string, server: RouteOptions) {
    this.params = exchange.params;
    this.query = exchange.query;
    this.#readBody = body;
    this.caller = callerOf(exchange);
    this.requestId = exchange.id;
    this.stages = exchange.stages;
    this.#request = exchange.request;
    this.#prefix = prefix;
    this.#server = server;
  }

  /** Parsed when it is first needed: parsing is work of the endpoint. */
  get body(): Body {
    this.#body ??= this.#readBody();
    return this.#body;
  }

  get author(): Author {
    const { accountId, environment, keyId, userId } = this.caller;
    const from = this.#server.addresses.of(this.#request);
    const who = userId === undefined ? ({ kind: 'key', id: keyId } as const) : ({ kind: 'user', id: userId } as const);
    return { accountId, environment, by: { ...who, from } };
  }

  get baseUrl(): string {
    const base = this.#server.publicUrl ?? this.#server.addresses.baseUrl(this.#request);
    return base + this.#prefix.replace('{environment}', this.caller.environment);
  }
}

function keyInQuery(exchange: Exchange, options: RouteOptions): string | null {
  if (!options.allowKeyInQuery) return null;
  const { key } = exchange.query;
  return typeof key === 'string' && key !== '' ? key : null;
}
