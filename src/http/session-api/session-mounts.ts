import { AppError } from '../../errors.ts';
import { environments, isForSessions } from '../endpoint.ts';
import type { EndpointMount, RouteOptions } from '../endpoint-route.ts';
import type { Exchange } from '../exchange.ts';
import { requirePlan, takeThroughput } from '../key-mount.ts';
import { consoleApiPath, environmentApiPath } from './console-mount.ts';
import type { SessionAdmission } from './session-context.ts';
import { createSessionGuard } from './session-guard.ts';

/** The mounts below `/console/api`, which admit requests by session and never by key. */
export function sessionMounts(sessions: SessionAdmission, server: RouteOptions): EndpointMount[] {
  const guard = createSessionGuard(sessions, server);
  const common = { isConsole: true, server, sessionOf: guard.context } as const;
  const account: EndpointMount = {
    ...common,
    prefix: consoleApiPath,
    includes: (endpoint) => isForSessions(endpoint) && endpoint.accountRole !== undefined,
    async admit({ accountRole = 'member' }, exchange) {
      refuseEmbedding(exchange);
      guard.check(exchange);
      if (accountRole === 'visitor') return;
      exchange.sessionUser = await guard.admit(exchange, accountRole);
      takeThroughput(sessions.takeToken(exchange.sessionUser), exchange);
    },
  };
  const environment: EndpointMount = {
    ...common,
    prefix: environmentApiPath,
    includes: (endpoint) => isForSessions(endpoint) && endpoint.accountRole === undefined,
    async admit(endpoint, exchange) {
      refuseEmbedding(exchange);
      const name = environments.find((known) => known === exchange.params.environment);
      if (name === undefined) throw new AppError('not_found');
      guard.check(exchange);
      const sessionUser = await guard.admit(exchange, 'member');
      exchange.sessionUser = sessionUser;
      const caller = await sessions.callerOf(sessionUser, name);
      if (caller === null) throw new AppError('session_required');
      exchange.caller = caller;
      // Requests that cost credits count towards the plan's throughput; page views do not.
      const isCharged = endpoint.chargeable && endpoint.isFreeInConsole !== true;
      takeThroughput(isCharged ? await server.admission.takeToken(caller) : sessions.takeToken(sessionUser), exchange);
      requirePlan(endpoint, caller);
    },
  };
  return [account, environment];
}

/** Prevents other sites from embedding a response. */
function refuseEmbedding(exchange: Exchange): void {
  exchange.header('cross-origin-resource-policy', 'same-origin');
  exchange.header('referrer-policy', 'no-referrer');
}
