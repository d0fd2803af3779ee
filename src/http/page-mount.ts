import { AppError } from '../errors.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { type Caller, type Endpoint, isForPages } from './endpoint.ts';
import type { EndpointMount, RouteOptions } from './endpoint-route.ts';
import { type Exchange, exposedHeaders } from './exchange.ts';
import { presentedKey } from './key-mount.ts';
import type { Route } from './routing/route.ts';

/** The CORS preflight of an endpoint for web pages, which every origin may make. */
export const preflightRoute = ({ method, path }: Endpoint): Route => ({
  method: 'OPTIONS',
  path,
  serve: (exchange) => answerPreflight(method, exchange),
});

function answerPreflight(method: string, exchange: Exchange): void {
  const { origin } = exchange.request.headers;
  exchange.headers({
    vary: 'Origin',
    ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': '86400',
    // `access-control-max-age` governs how long a preflight is cached.
    'cache-control': '',
  });
  exchange.sendNothing(204);
}

/** The mount for web pages: a publishable key identifies the caller, for pages of its origins. */
export function pageMount(options: RouteOptions): EndpointMount {
  return {
    prefix: '',
    isConsole: false,
    server: options,
    includes: isForPages,
    sessionOf: () => null,
    admit(_endpoint, exchange) {
      exchange.header('vary', 'Origin');
      const ip = options.addresses.of(exchange.request);
      const key = presentedKey(exchange, options, ip);
      if (key === null) throw new AppError('key_required');
      return mapMaybePromise(options.admission.identify(key), (caller) => {
        admitOrigin(caller, exchange);
        return mapMaybePromise(options.admission.takeHint(caller, ip), (throughput) => {
          exchange.throughput = throughput;
          const { allowed, retryAfterSeconds } = throughput;
          if (!allowed) throw new AppError('hint_limit_reached', { retryAfterSeconds });
        });
      });
    },
  };
}

/** Sets the caller, and lets its page read the response; rejects other keys and other origins. */
function admitOrigin(caller: Caller | null, exchange: Exchange): asserts caller is Caller {
  if (caller === null) throw new AppError('unauthorized');
  exchange.caller = caller;
  if (!caller.publishable) throw new AppError('publishable_key_required');
  const { origin } = exchange.request.headers;
  if (origin === undefined || !caller.publishable.origins.includes(origin)) throw new AppError('origin_not_allowed');
  exchange.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders });
}
