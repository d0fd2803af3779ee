import type { Actor } from '../../actor.ts';
import { AppError } from '../../errors.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Exchange } from '../exchange.ts';
import { carriesBody } from '../request-body.ts';
import { assertSameOrigin } from './same-origin.ts';
import type { Role, SessionAdmission, SessionContext, SessionUser } from './session-context.ts';
import { sessionCookie } from './session-cookie.ts';

/** What the console has to know of the server around it. */
export interface GuardOptions {
  readonly addresses: ClientAddresses;
  readonly publicUrl: string | null;
}

/** Looks at every request to the console before anything else does. */
export interface SessionGuard {
  /** Refuses what does not come from our own pages. */
  check(exchange: Exchange): void;
  /** Who is signed in; throws when nobody is, or not with the role that is needed. */
  admit(exchange: Exchange, role: Role): Promise<SessionUser>;
  context(exchange: Exchange): SessionContext;
}

export function createSessionGuard(sessions: SessionAdmission, { addresses, publicUrl }: GuardOptions): SessionGuard {
  const cookie = sessionCookie(sessions.cookieSuffix);
  const known = publicUrl === null ? null : new URL(publicUrl);
  const isSecure = ({ request }: Exchange): boolean =>
    // A proxy that says nothing of TLS is believed to have it where the operator says so of its name.
    (known?.protocol === 'https:' && request.headers.host === known.host) ||
    addresses.baseUrl(request).startsWith('https:');
  const tokenOf = (exchange: Exchange): string | null =>
    cookie.read(exchange.request.headers.cookie, isSecure(exchange));
  return {
    check({ request }) {
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
      const baseUrl = publicUrl ?? addresses.baseUrl(request);
      const setSession = (kept: string | null): void =>
        exchange.header('set-cookie', cookie.write(kept, isSecure(exchange)));
      const agent = request.headers['user-agent'] ?? '';
      return new RequestContext(sessionUser, { token, from, agent, baseUrl, setSession });
    },
  };
}

class RequestContext implements SessionContext {
  readonly token: string | null;
  readonly from: string;
  readonly agent: string;
  readonly baseUrl: string;
  readonly setSession: (token: string | null) => void;
  readonly #sessionUser: SessionUser | null;

  constructor(sessionUser: SessionUser | null, rest: Omit<SessionContext, 'sessionUser' | 'by'>) {
    this.#sessionUser = sessionUser;
    this.token = rest.token;
    this.from = rest.from;
    this.agent = rest.agent;
    this.baseUrl = rest.baseUrl;
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
