import type { Actor } from '../../actor.ts';
import { AppError } from '../../errors.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Exchange } from '../exchange.ts';
import type { KnownHosts } from '../known-hosts.ts';
import { carriesBody } from '../request-body.ts';
import { assertSameOrigin } from './same-origin.ts';
import type { Role, SessionAdmission, SessionContext, SessionUser } from './session-context.ts';
import { sessionCookie } from './session-cookie.ts';

/** The server's settings that the guard needs. */
export interface GuardOptions {
  readonly addresses: ClientAddresses;
  readonly hosts: KnownHosts;
  readonly publicUrl: string | null;
}

/** Checks every request to the console. */
export interface SessionGuard {
  /** Rejects cross-site requests, and those to an unknown name of the service. */
  check(exchange: Exchange): void;
  /** The signed-in user; throws without a session, or without the required role. */
  admit(exchange: Exchange, role: Role): Promise<SessionUser>;
  context(exchange: Exchange): SessionContext;
}

export function createSessionGuard(
  sessions: SessionAdmission,
  { addresses, hosts, publicUrl }: GuardOptions,
): SessionGuard {
  const cookie = sessionCookie(sessions.cookieSuffix);
  const known = publicUrl === null ? null : new URL(publicUrl);
  const isSecure = ({ request }: Exchange): boolean =>
    // `PUBLIC_URL` declares TLS for its host, for proxies that do not forward the scheme.
    (known?.protocol === 'https:' && request.headers.host === known.host) ||
    addresses.baseUrl(request).startsWith('https:');
  const tokenOf = (exchange: Exchange): string | null =>
    cookie.read(exchange.request.headers.cookie, isSecure(exchange));
  return {
    check({ request }) {
      if (!hosts.isKnown(request)) throw new AppError('unknown_host');
      const { method = 'GET', headers } = request;
      const origins = [addresses.baseUrl(request), ...(known === null ? [] : [known.origin])];
      assertSameOrigin({ method, headers, carriesBody: carriesBody(request), origins });
    },
    async admit(exchange, role) {
      const token = tokenOf(exchange);
      const sessionUser = token === null ? null : await sessions.identify(token);
      if (sessionUser === null) throw new AppError('session_required');
      if (role === 'operator' && sessionUser.role !== 'operator') throw new AppError('operator_only');
      return sessionUser;
    },
    context(exchange) {
      const { request, sessionUser } = exchange;
      const from = addresses.of(request);
      const token = tokenOf(exchange);
      const linkBase = (): string => hosts.linkBase(request);
      const setSession = (kept: string | null): void =>
        exchange.header('set-cookie', cookie.write(kept, isSecure(exchange)));
      const agent = request.headers['user-agent'] ?? '';
      return new RequestContext(sessionUser, { token, from, agent, linkBase, setSession });
    },
  };
}

class RequestContext implements SessionContext {
  readonly token: string | null;
  readonly from: string;
  readonly agent: string;
  readonly linkBase: () => string;
  readonly setSession: (token: string | null) => void;
  readonly #sessionUser: SessionUser | null;

  constructor(sessionUser: SessionUser | null, rest: Omit<SessionContext, 'sessionUser' | 'by'>) {
    this.#sessionUser = sessionUser;
    this.token = rest.token;
    this.from = rest.from;
    this.agent = rest.agent;
    this.linkBase = rest.linkBase;
    this.setSession = rest.setSession;
  }

  get sessionUser(): SessionUser {
    if (this.#sessionUser === null) throw new AppError('session_required');
    return this.#sessionUser;
  }

  get by(): Actor {
    return { kind: 'user', id: this.sessionUser.userId, from: this.from };
  }
}
