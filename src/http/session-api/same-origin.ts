import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorCode } from '../../errors.ts';

/** What is looked at to tell a request of our own pages from one that another site had the browser send. */
export interface BrowserRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether it announces a body. */
  readonly carriesBody: boolean;
  /** Scheme and host of the console, as the browser knows it. */
  readonly origins: readonly string[];
}

/**
 * Refuses what another site had the browser send. `SameSite` alone does not: to a browser every port of a host, and every
 * sibling of a domain, is the same site.
 */
export function assertSameOrigin(request: BrowserRequest): void {
  const code = refusalOf(request);
  if (code !== null) throw new AppError(code);
}

function refusalOf({ method, headers, carriesBody, origins }: BrowserRequest): ErrorCode | null {
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  // Browsers do not send it over plain HTTP, but to this machine.
  if (site !== undefined) {
    // `none`: typed into the address bar.
    if (site !== 'same-origin' && !(isRead && site === 'none')) return 'cross_site';
  } else if (!isRead && !origins.includes(headers.origin ?? '')) return 'cross_site';
  if (isRead || !carriesBody) return null;
  // A form of another site can send any type but this one without asking us first.
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '') ? null : 'unsupported_media_type';
}
