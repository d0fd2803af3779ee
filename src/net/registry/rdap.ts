import type { Deadline } from '../../platform/deadline.ts';
import { waitUntil } from '../../platform/time/with-deadline.ts';
import type { GuardedHttp, HttpAnswer } from '../http/guarded-http.ts';
import { GuardedHttpError, type GuardedHttpReason } from '../http/guarded-http-error.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { createBreaker, hasPassed } from './breaker.ts';
import { createRdapBootstrap, type RdapBootstrap, type RdapBootstrapOptions } from './rdap-bootstrap.ts';
import { findRdapServers, type RdapServers } from './rdap-bootstrap-document.ts';
import { readRegistrationEvent } from './rdap-event.ts';
import { isQueryable, type Registration, type RegistrationAnswer, type RegistrationFailure } from './registration.ts';

/** Queries registries with RDAP (RFC 9082, 9083). */
export interface Rdap {
  /** When the registrable domain was registered; `unserved` when its registry has no RDAP. */
  registeredAt(registrable: string, deadline: Deadline): Promise<RegistrationAnswer>;
  /** How many servers are skipped because they keep failing. */
  broken(): number;
}

const maxWaitMs = 3_000;
const maxBytes = 1024 * 1024;

/** Makes the RDAP client: one breaker and one rate limit per server, its bootstrap registry fetched when first needed. */
export function createRdap(options: RdapBootstrapOptions): Rdap {
  const { http, now } = options;
  const bootstrap = createRdapBootstrap(options);
  const breaker = createBreaker({ now });
  const limited = new Map<string, { sinceMs: number; spanMs: number }>();

  function waitOf(server: string): number {
    const limit = limited.get(server);
    if (limit === undefined) return 0;
    if (hasPassed(limit.sinceMs, limit.spanMs, now())) {
      limited.delete(server);
      return 0;
    }
    return limit.sinceMs + limit.spanMs - now();
  }

  async function queryOne(base: string, registrable: string, deadline: Deadline): Promise<Registration> {
    const server = new URL(base).origin;
    const waitMs = waitOf(server);
    if (waitMs > 0) return { kind: 'failed', reason: 'rate_limited', retryAfterMs: waitMs };
    if (!breaker.allows(server)) return { kind: 'failed', reason: 'breaker_open' };
    const result = await queryServer(http, `${base}domain/${registrable}`, deadline, now);
    if (result.kind === 'failed' && result.retryAfterMs !== undefined) {
      limited.set(server, { sinceMs: now(), spanMs: result.retryAfterMs });
    }
    breaker[noteFor(result)](server);
    return result;
  }

  return {
    async registeredAt(registrable, deadline) {
      if (!isQueryable(registrable)) return { kind: 'unserved' };
      const servers = await serversFor(bootstrap, registrable, deadline, now);
      if ('kind' in servers) return servers;
      let result: RegistrationAnswer = { kind: 'unserved' };
      for (const base of servers) {
        if (result.kind === 'failed' && (result.reason === 'aborted' || now() >= deadline.atMs)) break;
        result = await queryOne(base, registrable, deadline);
        if (result.kind !== 'failed') break;
      }
      return result;
    },
    broken: breaker.open,
  };
}

async function serversFor(
  bootstrap: RdapBootstrap,
  registrable: string,
  deadline: Deadline,
  now: () => number,
): Promise<readonly string[] | RegistrationAnswer> {
  const servers = await waitUntil<RdapServers | null | 'timeout'>(bootstrap.servers(), deadline, now, () => 'timeout');
  if (servers === 'timeout') return { kind: 'failed', reason: deadline.signal?.aborted ? 'aborted' : 'timeout' };
  if (servers === null) return { kind: 'failed', reason: 'no_bootstrap' };
  return findRdapServers(servers, registrable);
}

async function queryServer(
  http: GuardedHttp,
  url: string,
  deadline: Deadline,
  now: () => number,
): Promise<Registration> {
  try {
    const answer = await http.get(url, {
      timeoutMs: Math.min(maxWaitMs, deadline.atMs - now()),
      maxBytes,
      accept: 'application/rdap+json, application/json;q=0.9',
      ...(deadline.signal === undefined ? {} : { signal: deadline.signal }),
    });
    return readAnswer(answer, now());
  } catch (error) {
    if (error instanceof GuardedHttpError) return { kind: 'failed', reason: failureOf[error.reason] };
    throw error;
  }
}

function readAnswer(answer: HttpAnswer, nowMs: number): Registration {
  if (answer.status === 404) return { kind: 'none' };
  const limited = answer.status === 429 || (answer.status === 503 && answer.headers['retry-after'] !== undefined);
  if (limited) {
    return {
      kind: 'failed',
      reason: 'rate_limited',
      retryAfterMs: retryAfterMs(answer.headers['retry-after'], nowMs),
    };
  }
  if (answer.status >= 500) return { kind: 'failed', reason: 'server_error' };
  if (answer.status !== 200) return { kind: 'failed', reason: 'refused' };
  const event = readRegistrationEvent(answer.body, nowMs);
  if (event === 'broken') return { kind: 'failed', reason: 'broken' };
  if (event === null) return { kind: 'none' };
  return { kind: 'found', registeredAtMs: event, source: 'rdap', server: new URL(answer.url).hostname };
}

const failureOf = {
  offline: 'offline',
  aborted: 'aborted',
  timeout: 'timeout',
  network: 'network',
  bad_url: 'broken',
  blocked_address: 'blocked_address',
  too_many_redirects: 'redirect',
  bad_redirect: 'redirect',
  bad_status: 'refused',
  bad_encoding: 'broken',
  too_large: 'too_large',
  disk: 'broken',
} as const satisfies Record<GuardedHttpReason, RegistrationFailure>;

/** The evidence of a result about the server's health: a refusal of one name, or an aborted request, is none. */
function noteFor(result: Registration): 'succeeded' | 'failed' | 'undecided' {
  if (result.kind !== 'failed') return 'succeeded';
  const silent: readonly RegistrationFailure[] = ['offline', 'aborted', 'refused', 'rate_limited'];
  return silent.includes(result.reason) ? 'undecided' : 'failed';
}
