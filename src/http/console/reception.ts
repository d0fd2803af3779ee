import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../errors.ts';
import type { ClientAddresses } from '../client-address.ts';
import { carriesBody } from '../request-body.ts';
import { mustComeFromConsole } from './same-origin.ts';
import { type SessionCookie, sessionCookie } from './session-cookie.ts';
import type { Role, SessionAdmission, Visit, Visitor } from './visit.ts';

/** What the console has to know of the server around it. */
export interface Surroundings {
  readonly addresses: ClientAddresses;
  readonly publicUrl: string | null;
}

/** Looks at every request to the console before anything else does. */
export interface Reception {
  /** Refuses what does not come from our own pages. */
  check(request: FastifyRequest): void;
  /** Who is signed in; throws when nobody is, or not with the role that is needed. */
  admit(request: FastifyRequest, role: Role): Promise<Visitor>;
  visit(request: FastifyRequest, reply: FastifyReply, visitor: Visitor | null): Visit;
}

export function createReception(sessions: SessionAdmission, { addresses, publicUrl }: Surroundings): Reception {
  const cookie = sessionCookie(sessions.cookieSuffix);
  const known = publicUrl === null ? null : new URL(publicUrl);
  const isSecure = ({ raw }: FastifyRequest): boolean =>
    // A proxy that says nothing of TLS is believed to have it where the operator says so of its name.
    (known?.protocol === 'https:' && raw.headers.host === known.host) || addresses.baseUrl(raw).startsWith('https:');
  const tokenOf = (request: FastifyRequest): string | null => cookie.read(request.headers.cookie, isSecure(request));
  return {
    check(request) {
      const { method, headers, raw } = request;
      const origins = [addresses.baseUrl(raw), ...(known === null ? [] : [known.origin])];
      mustComeFromConsole({ method, headers, carriesBody: carriesBody(raw), origins });
    },
    async admit(request, role) {
      const token = tokenOf(request);
      const visitor = token === null ? null : await sessions.identify(token);
      if (visitor === null) throw new AppError('session_required');
      if (role === 'operator' && visitor.role !== 'operator') throw new AppError('operator_only');
      return visitor;
    },
    visit(request, reply, visitor) {
      const from = addresses.of(request.raw);
      const token = tokenOf(request);
      const baseUrl = publicUrl ?? addresses.baseUrl(request.raw);
      const keepSession = (kept: string | null): void => setCookie(reply, cookie, kept, isSecure(request));
      const agent = request.headers['user-agent'] ?? '';
      return new ConsoleVisit(visitor, { token, from, agent, baseUrl, keepSession });
    },
  };
}

function setCookie(reply: FastifyReply, cookie: SessionCookie, token: string | null, isSecure: boolean): void {
  reply.header('set-cookie', cookie.write(token, isSecure));
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
