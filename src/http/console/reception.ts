import type { Actor } from '../../actor.ts';
import { AppError } from '../../errors.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Exchange } from '../exchange.ts';
import { carriesBody } from '../request-body.ts';
import { mustComeFromConsole } from './same-origin.ts';
import { sessionCookie } from './session-cookie.ts';
import type { Role, SessionAdmission, Visit, Visitor } from './visit.ts';

/** What the console has to know of the server around it. */
export interface Surroundings {
  readonly addresses: ClientAddresses;
  readonly publicUrl: string | null;
}

/** Looks at every request to the console before anything else does. */
export interface Reception {
  /** Refuses what does not come from our own pages. */
  check(exchange: Exchange): void;
  /** Who is signed in; throws when nobody is, or not with the role that is needed. */
  admit(exchange: Exchange, role: Role): Promise<Visitor>;
  visit(exchange: Exchange): Visit;
}

export function createReception(sessions: SessionAdmission, { addresses, publicUrl }: Surroundings): Reception {
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
      mustComeFromConsole({ method, headers, carriesBody: carriesBody(request), origins });
    },
    async admit(exchange, role) {
      const token = tokenOf(exchange);
      const visitor = token === null ? null : await sessions.identify(token);
      if (visitor === null) throw new AppError('session_required');
      if (role === 'operator' && visitor.role !== 'operator') throw new AppError('operator_only');
      return visitor;
    },
    visit(exchange) {
      const { request, visitor } = exchange;
      const from = addresses.of(request);
      const token = tokenOf(exchange);
      const baseUrl = publicUrl ?? addresses.baseUrl(request);
      const keepSession = (kept: string | null): void =>
        exchange.header('set-cookie', cookie.write(kept, isSecure(exchange)));
      const agent = request.headers['user-agent'] ?? '';
      return new ConsoleVisit(visitor, { token, from, agent, baseUrl, keepSession });
    },
  };
}

class ConsoleVisit implements Visit {
  readonly token: string | null;
  readonly from: string;
  readonly agent: string;
  readonly baseUrl: string;
  readonly keepSession: (token: string | null) => void;
  readonly #visitor: Visitor | null;

  constructor(visitor: Visitor | null, rest: Omit<Visit, 'visitor' | 'by'>) {
    this.#visitor = visitor;
    this.token = rest.token;
    this.from = rest.from;
    this.agent = rest.agent;
    this.baseUrl = rest.baseUrl;
    this.keepSession = rest.keepSession;
  }

  get visitor(): Visitor {
    if (this.#visitor === null) throw new AppError('session_required');
    return this.#visitor;
  }

  get by(): Actor {
    return { kind: 'user', id: this.visitor.userId, from: this.from };
  }
}
