import { AppError } from '../../errors.ts';
import { type Body, type Endpoint, environments } from '../endpoint.ts';
import { type EndpointMount, endpointRoute, limit, type RouteOptions, withBody } from '../endpoint-route.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from '../routing/route.ts';
import type { RequestMetrics } from '../timing/request-metrics.ts';
import { stage } from '../timing/stage-times.ts';
import { type ConsoleMount, consoleApiPath, environmentApiPath } from './console-mount.ts';
import type { SessionAdmission } from './session-context.ts';
import type { SessionEndpoint } from './session-endpoint.ts';
import { createSessionGuard, type SessionGuard } from './session-guard.ts';

const absentBody: Body = { kind: 'absent' };

/** Mounts the console's own endpoints, and all others by session. */
export function sessionRoutes(
  { endpoints, sessions }: ConsoleMount,
  options: RouteOptions,
  metrics: RequestMetrics,
): Route[] {
  const guard = createSessionGuard(sessions, options);
  const mount = sessionMount(guard, sessions, options);
  return [
    ...endpoints.map((endpoint) => sessionRoute(endpoint, guard, sessions, options, metrics)),
    ...options.endpoints.map((endpoint) => endpointRoute(endpoint, mount, options, metrics)),
  ];
}

function sessionRoute(
  endpoint: SessionEndpoint,
  guard: SessionGuard,
  sessions: SessionAdmission,
  { work }: RouteOptions,
  metrics: RequestMetrics,
): Route {
  const { method, path, operationId, access, status = 200 } = endpoint;
  const admit = async (exchange: Exchange): Promise<void> => {
    guard.check(exchange);
    if (access === 'public') return;
    exchange.sessionUser = await guard.admit(exchange, access);
    const { allowed, retryAfterSeconds } = sessions.takeToken(exchange.sessionUser);
    if (!allowed) throw new AppError('rate_limit_exceeded', { retryAfterSeconds });
  };
  const answer = async (exchange: Exchange, body: Body): Promise<void> => {
    const { params, query, stages, sessionUser } = exchange;
    stages.enter(stage.work);
    const respond = () => endpoint.answer({ params, query, body }, guard.context(exchange));
    // A list refresh may take minutes. Before the sign-in, the cost belongs to no account.
    const text = await (sessionUser === null ? respond() : work.run(sessionUser.accountId, null, respond));
    if (text === undefined) exchange.sendNothing(status);
    else exchange.sendJson(status, text);
  };
  return {
    method,
    path: consoleApiPath + path,
    family: 'gates',
    operation: metrics.operation(operationId),
    isConsole: true,
    async serve(exchange) {
      refuseEmbedding(exchange);
      await admit(exchange);
      exchange.stages.endWait(stage.body);
      if (method === 'GET') await answer(exchange, absentBody);
      else await withBody(exchange, (body) => answer(exchange, body()));
    },
  };
}

/** Admits requests to an environment's endpoints by session, never by key. */
function sessionMount(guard: SessionGuard, sessions: SessionAdmission, options: RouteOptions): EndpointMount {
  return {
    prefix: environmentApiPath,
    isConsole: true,
    async admit(endpoint: Endpoint, exchange: Exchange) {
      refuseEmbedding(exchange);
      const environment = environments.find((known) => known === exchange.params.environment);
      if (environment === undefined) throw new AppError('not_found');
      guard.check(exchange);
      const sessionUser = await guard.admit(exchange, 'member');
      const caller = await sessions.callerOf(sessionUser, environment);
      if (caller === null) throw new AppError('session_required');
      exchange.caller = caller;
      // Requests that cost credits count towards the plan's throughput; page views do not.
      const isCharged = endpoint.chargeable && endpoint.isFreeInConsole !== true;
      const throughput = isCharged ? await options.admission.takeToken(caller) : sessions.takeToken(sessionUser);
      limit(endpoint, caller, throughput, exchange);
    },
  };
}

/** Prevents other sites from embedding a response. */
function refuseEmbedding(exchange: Exchange): void {
  exchange.header('cross-origin-resource-policy', 'same-origin');
  exchange.header('referrer-policy', 'no-referrer');
}
