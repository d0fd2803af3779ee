import { connect } from 'node:net';
import type { Deadline } from '../../platform/deadline.ts';
import { GuardedHttpError, toGuardedHttpError } from '../http/guarded-http-error.ts';
import { createOutboundGuard, type OutboundGuard, type OutboundGuardOptions } from '../http/outbound-guard.ts';
import { withinTime } from '../http/within-time.ts';
import { createBreaker } from './breaker.ts';
import { isQueryable, type Registration, type RegistrationAnswer, type RegistrationFailure } from './registration.ts';
import { isWhoisRateLimit, readWhoisRegistration } from './whois-answer.ts';
import { findWhoisServer, shippedWhoisServers, type WhoisServer } from './whois-servers.ts';

export interface WhoisOptions extends OutboundGuardOptions {
  readonly now: () => number;
  readonly offline: boolean;
  /** Defaults to the shipped table. */
  readonly servers?: readonly WhoisServer[];
}

/** Queries registries with WHOIS (RFC 3912), for those without RDAP. */
export interface Whois {
  /** When the registrable domain was registered; `unserved` when the table has no server for it. */
  registeredAt(registrable: string, deadline: Deadline): Promise<RegistrationAnswer>;
  /** How many servers are skipped because they keep failing. */
  broken(): number;
}

const maxWaitMs = 3_000;
const maxBytes = 64 * 1024;
const rateLimitMs = 60_000;

/** Makes the WHOIS client: the same address rules as HTTP, one breaker per server. */
export function createWhois(options: WhoisOptions): Whois {
  const { now, offline, servers = shippedWhoisServers } = options;
  const guard = createOutboundGuard(options);
  const breaker = createBreaker({ now });

  return {
    async registeredAt(registrable, deadline) {
      const server = isQueryable(registrable) ? findWhoisServer(servers, registrable) : null;
      if (server === null) return { kind: 'unserved' };
      if (offline) return { kind: 'failed', reason: 'offline' };
      const key = `${server.host}:${server.port ?? 43}`;
      if (!breaker.allows(key)) return { kind: 'failed', reason: 'breaker_open' };
      const timeoutMs = Math.min(maxWaitMs, deadline.atMs - now());
      const limit = deadline.signal === undefined ? { timeoutMs } : { timeoutMs, signal: deadline.signal };
      try {
        const query = (server.query ?? '%s').replace('%s', registrable);
        const answer = await withinTime(limit, (signal) => ask(guard, server, query, signal));
        breaker.succeeded(key);
        return readAnswer(answer, server, now());
      } catch (thrown) {
        const { reason } = toGuardedHttpError(thrown);
        breaker[reason === 'aborted' ? 'undecided' : 'failed'](key);
        return { kind: 'failed', reason: failureOf(reason) };
      }
    },
    broken: breaker.open,
  };
}

/** One question on a guarded connection. The answer ends when the server closes (RFC 3912 §2). */
function ask(guard: OutboundGuard, server: WhoisServer, query: string, signal: AbortSignal): Promise<string> {
  const port = server.port ?? 43;
  const origin = `whois://${server.host}:${port}`;
  guard.checkHost(server.host, origin);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.host, port, lookup: guard.lookup(origin) });
    const stop = () => socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    const chunks: Buffer[] = [];
    let total = 0;
    socket.on('connect', () => socket.write(`${query}\r\n`));
    socket.on('data', (chunk: Buffer) => {
      total += chunk.length;
      chunks.push(chunk);
      if (total > maxBytes) socket.destroy(new GuardedHttpError('too_large', `More than ${maxBytes} bytes`));
    });
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => {
      signal.removeEventListener('abort', stop);
      reject(new GuardedHttpError('network', 'The connection was closed without a response'));
    });
  });
}

function readAnswer(answer: string, server: WhoisServer, nowMs: number): Registration {
  const registeredAtMs = readWhoisRegistration(answer, server.label, nowMs);
  if (registeredAtMs !== null) return { kind: 'found', registeredAtMs, source: 'whois', server: server.host };
  if (isWhoisRateLimit(answer)) return { kind: 'failed', reason: 'rate_limited', retryAfterMs: rateLimitMs };
  return answer.trim() === '' ? { kind: 'failed', reason: 'broken' } : { kind: 'none' };
}

function failureOf(reason: GuardedHttpError['reason']): RegistrationFailure {
  switch (reason) {
    case 'timeout':
    case 'aborted':
    case 'too_large':
    case 'blocked_address':
      return reason;
    default:
      return 'network';
  }
}
