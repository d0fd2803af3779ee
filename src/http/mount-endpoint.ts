import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage } from '../error-message.ts';
import { AppError } from '../errors.ts';
import type { SeldomLog } from '../log.ts';
import type { Admission, Anonymous, Granted, Reservation, Throughput } from './admission.ts';
import { jsonType, sendText } from './answers/send-answer.ts';
import { parseBody } from './body-parser.ts';
import type { ClientAddresses } from './client-address.ts';
import type { Author, Body, Call, Caller, Endpoint, Prepared } from './endpoint.ts';
import { routerPath } from './paths.ts';
import { keyInHeader } from './presented-key.ts';
import { readBody } from './request-body.ts';
import type { AccessLog, RequestMetrics } from './request-metrics.ts';
import type { ServerOptions } from './server.ts';

/** Goes on with a request, or ends it with an error. */
export type Done = (error?: Error) => void;

/** The methods whose requests may carry a body. */
export const methodsWithBody: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** What endpoints are mounted with. */
export interface Mounting extends ServerOptions {
  readonly addresses: ClientAddresses;
  readonly answered: AccessLog;
  readonly logSeldom: SeldomLog;
}

/** A way to endpoints: by which paths, and who says whose a request is. */
export interface Door {
  /** What stands before the path of every endpoint, in OpenAPI's notation. */
  readonly prefix: string;
  readonly isConsole: boolean;
  /** Sets the caller of a request, or refuses it, before its body is read. */
  admit(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, done: Done): void;
}

/** The public way: a key says whose a request is. */
export function keyDoor(options: Mounting): Door {
  return {
    prefix: '',
    isConsole: false,
    admit: (endpoint, request, reply, done) => admit(endpoint, options, request, reply, done),
  };
}

/**
 * Mounts one endpoint with everything that stands before its handler, in the documented order: address block, key,
 * throughput and plan before the body is read; then input, object, credits, work.
 */
export function mountEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  door: Door,
  options: Mounting,
  metrics: RequestMetrics,
): void {
  const status = endpoint.status ?? 200;
  const record = metrics.operation(endpoint.operationId);
  const send = (output: unknown, reply: FastifyReply): void => {
    record(status, reply.request.startedAtMs);
    options.answered(reply.request, endpoint.operationId, status);
    const text = endpoint.textOf(output);
    if (text === undefined) reply.code(status).send(output);
    // Its door may have headers of its own to set.
    else if (door.isConsole) reply.code(status).header('content-type', jsonType).send(text);
    else sendText(reply, status, text, endpoint.family);
  };
  const answer = (request: FastifyRequest, reply: FastifyReply, body: Body): void => {
    // The framework takes anything but an Error for an answer.
    const fail = (error: unknown): void =>
      void reply.send(error instanceof Error ? error : new Error(errorMessage(error)));
    try {
      const output = perform(endpoint, options, new RequestCall(request, body, door.prefix, options));
      // A warm answer needs no promise, and a promise is a good part of what it would cost.
      if (output instanceof Promise) output.then((settled) => send(settled, reply)).catch(fail);
      else send(output, reply);
    } catch (error) {
      fail(error);
    }
  };
  const takesBody = methodsWithBody.includes(endpoint.method);
  app.route({
    method: endpoint.method,
    url: routerPath(door.prefix + endpoint.path),
    config: { family: endpoint.family, operationId: endpoint.operationId, isConsole: door.isConsole },
    onRequest: (request, reply, done) => door.admit(endpoint, request, reply, done),
    handler(request, reply) {
      if (!takesBody) {
        answer(request, reply, noBody);
        return;
      }
      readBody(request.raw, (error, bytes) => {
        if (error === null) answer(request, reply, parseBody(bytes, request.headers));
        else reply.header('connection', 'close').send(error);
      });
    },
  });
}

/** What admission looks at. */
type Admitted = Pick<Endpoint, 'plan' | 'anonymous'>;

/** Sets the caller behind the key of a request, or refuses it. */
export function admit(
  endpoint: Admitted,
  options: Mounting,
  request: FastifyRequest,
  reply: FastifyReply,
  done: Done,
): void {
  const { admission } = options;
  const ip = options.addresses.of(request.raw);
  const key = keyInHeader(request.headers.authorization) ?? keyInQuery(request, options);
  const blockedSeconds = admission.blockedForSeconds(ip);
  // A stranger must not be able to lock out the customers behind an address they share.
  if (blockedSeconds > 0 && (key === null || !admission.isKnown(key))) {
    done(new AppError('ip_blocked', { retryAfterSeconds: blockedSeconds }));
    return;
  }
  if (key === null) {
    const anonymous = endpoint.anonymous === true ? admission.takeAnonymous(ip) : null;
    if (anonymous instanceof Promise) anonymous.then((settled) => welcomeStranger(settled, request, done), done);
    else welcomeStranger(anonymous, request, done);
    return;
  }
  const caller = admission.identify(key);
  if (caller instanceof Promise) {
    caller.then((settled) => welcome(endpoint, admission, settled, request, reply, done), done);
  } else welcome(endpoint, admission, caller, request, reply, done);
}

function welcomeStranger(anonymous: Anonymous | null, request: FastifyRequest, done: Done): void {
  if (anonymous === null) {
    done(new AppError('key_required'));
    return;
  }
  const { caller, retryAfterSeconds } = anonymous;
  request.caller = caller;
  if (retryAfterSeconds > 0) done(new AppError('anonymous_limit_reached', { retryAfterSeconds }));
  else done();
}

function welcome(
  endpoint: Admitted,
  admission: Admission,
  caller: Caller | null,
  request: FastifyRequest,
  reply: FastifyReply,
  done: Done,
): void {
  if (caller === null) {
    done(new AppError('unauthorized'));
    return;
  }
  request.caller = caller;
  const throughput = admission.takeToken(caller);
  if (throughput instanceof Promise) {
    throughput.then((settled) => limit(endpoint, caller, settled, reply, done), done);
  } else limit(endpoint, caller, throughput, reply, done);
}

/** Goes on when there is a token and the plan has the endpoint. */
export function limit(
  endpoint: Admitted,
  caller: Caller,
  throughput: Throughput,
  reply: FastifyReply,
  done: Done,
): void {
  reply.request.throughput = throughput;
  if (!throughput.allowed)
    done(new AppError('rate_limit_exceeded', { retryAfterSeconds: throughput.retryAfterSeconds }));
  else if (endpoint.plan === 'pro' && !caller.plan.pro) done(new AppError('pro_only'));
  else done();
}

/** Prepares a call and does its work within the credits of its caller. */
export function perform(endpoint: Endpoint, { admission }: Mounting, call: Call): unknown {
  const prepared = endpoint.prepare(call);
  if (prepared instanceof Promise) return prepared.then((settled) => meter(settled, admission, call));
  return meter(prepared, admission, call);
}

function meter(prepared: Prepared, admission: Admission, call: Call): unknown {
  if (prepared.credits === 0) return prepared.work();
  const reservation = admission.reserveCredits(call.caller, prepared.credits);
  if (reservation instanceof Promise) return reservation.then((settled) => charge(prepared, settled));
  return charge(prepared, reservation);
}

/** Credits that are left and too few are not used up. */
function notEnoughCredits(needed: number, left: number): AppError {
  if (left === 0) return new AppError('quota_exceeded');
  const message = `This costs ${needed} credits and ${left} ${left === 1 ? 'is' : 'are'} left. Wait for the reset or enable overage.`;
  return new AppError('quota_exceeded', { message });
}

function charge(prepared: Prepared, reservation: Reservation): unknown {
  if (!reservation.granted) throw notEnoughCredits(prepared.credits, reservation.left);
  try {
    const output = prepared.work();
    return output instanceof Promise ? output.catch((error) => giveBack(error, prepared, reservation)) : output;
  } catch (error) {
    return giveBack(error, prepared, reservation);
  }
}

function giveBack(error: unknown, { credits }: Prepared, reservation: Granted): never {
  reservation.release(credits);
  throw error;
}

const noBody: Body = { kind: 'absent' };

/** What a request asks. A class, because an object with a getter is made far slower. */
export class RequestCall implements Call {
  readonly params: Record<string, string>;
  readonly query: Record<string, string | string[] | undefined>;
  readonly body: Body;
  readonly caller: Caller;
  readonly requestId: string;
  readonly #request: FastifyRequest;
  readonly #prefix: string;
  readonly #server: Mounting;

  constructor(request: FastifyRequest, body: Body, prefix: string, server: Mounting) {
    const { caller } = request;
    if (caller === null) throw new Error('an endpoint ran before its caller was identified');
    this.params = request.params as Record<string, string>;
    this.query = request.query as Record<string, string | string[] | undefined>;
    this.body = body;
    this.caller = caller;
    this.requestId = request.id;
    this.#request = request;
    this.#prefix = prefix;
    this.#server = server;
  }

  get author(): Author {
    const { accountId, environment, keyId, userId } = this.caller;
    const from = this.#server.addresses.of(this.#request.raw);
    const who = userId === undefined ? ({ kind: 'key', id: keyId } as const) : ({ kind: 'user', id: userId } as const);
    return { accountId, environment, by: { ...who, from } };
  }

  get baseUrl(): string {
    const base = this.#server.publicUrl ?? this.#server.addresses.baseUrl(this.#request.raw);
    return base + this.#prefix.replace('{environment}', this.caller.environment);
  }
}

function keyInQuery(request: FastifyRequest, options: Mounting): string | null {
  if (!options.allowKeyInQuery) return null;
  const { key } = request.query as Record<string, unknown>;
  return typeof key === 'string' && key !== '' ? key : null;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** What the account may send in this second; null while nobody is identified. */
    throughput: Throughput | null;
    startedAtMs: number;
  }
}
