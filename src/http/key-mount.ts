import { AppError } from '../errors.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import type { Admission, Anonymous, Throughput } from './admission.ts';
import { type Caller, type Endpoint, isForPages, isPublic } from './endpoint.ts';
import type { EndpointMount, RouteOptions } from './endpoint-route.ts';
import type { Exchange } from './exchange.ts';
import { keyInHeader } from './presented-key.ts';

/** The public mount: a secret key identifies the caller. */
export function keyMount(options: RouteOptions): EndpointMount {
  return {
    prefix: '',
    isConsole: false,
    server: options,
    includes: (endpoint) => isPublic(endpoint) && !isForPages(endpoint),
    admit: (endpoint, exchange) => admitByKey(endpoint, options, exchange),
    sessionOf: () => null,
  };
}

/** The part of an endpoint that admission depends on. */
type Admitted = Pick<Endpoint, 'plan' | 'anonymous'>;

/** Sets the caller to whom the key of a request belongs, or rejects the request. */
export function admitByKey(endpoint: Admitted, options: RouteOptions, exchange: Exchange): void | Promise<void> {
  const { admission } = options;
  const ip = options.addresses.of(exchange.request);
  const key = presentedKey(exchange, options, ip);
  if (key === null) {
    const anonymous = endpoint.anonymous === true ? admission.takeAnonymous(ip) : null;
    return mapMaybePromise(anonymous, (resolved) => admitAnonymous(resolved, exchange));
  }
  return mapMaybePromise(admission.identify(key), (caller) => admitCaller(endpoint, admission, caller, exchange));
}

/** The key of a request, null without one. Throws while the address is blocked, unless the key is known. */
export function presentedKey(exchange: Exchange, options: RouteOptions, ip: string): string | null {
  const { admission } = options;
  const key = keyInHeader(exchange.request.headers.authorization) ?? keyInQuery(exchange, options);
  const blockedSeconds = admission.blockedForSeconds(ip);
  // An abusive client must not lock out customers who share its address.
  if (blockedSeconds > 0 && (key === null || !admission.isKnown(key))) {
    throw new AppError('ip_blocked', { retryAfterSeconds: blockedSeconds });
  }
  return key;
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
  if (caller.publishable) throw new AppError('publishable_key');
  return mapMaybePromise(admission.takeToken(caller), (throughput) => {
    takeThroughput(throughput, exchange);
    requirePlan(endpoint, caller);
  });
}

/** Rejects a request without a token. */
export function takeThroughput(throughput: Throughput, exchange: Exchange): void {
  exchange.throughput = throughput;
  const { allowed, retryAfterSeconds } = throughput;
  if (!allowed) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
}

/** Rejects a request to an endpoint that the plan does not include. */
export function requirePlan({ plan }: Pick<Endpoint, 'plan'>, caller: Caller): void {
  if (plan === 'pro' && !caller.plan.pro) throw new AppError('pro_only');
}

function keyInQuery(exchange: Exchange, options: RouteOptions): string | null {
  if (!options.allowKeyInQuery) return null;
  const { key } = exchange.query;
  return typeof key === 'string' && key !== '' ? key : null;
}
