import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorCode } from '../../errors.ts';

/** The parts of a request that distinguish our own pages from a cross-site request. */
export interface BrowserRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether it has a body. */
  readonly carriesBody: boolean;
  /** The console's origins, as the browser sees them. */
  readonly origins: readonly string[];
}

/**
 * Rejects cross-site requests. `SameSite` alone does not: to a browser every port of a host, and every
 * sibling of a domain, is the same site.
 */
export function assertSameOrigin(request: BrowserRequest): void {
  const code = refusalOf(request);
  if (code !== null) throw new AppError(code);
}

function refusalOf({ method, headers, carriesBody, origins }: BrowserRequest): ErrorCode | null {
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  // Over plain HTTP, browsers send it only to localhost.
  if (site !== undefined) {
    // `none`: typed into the address bar.
    if (site !== 'same-origin' && !(isRead && site === 'none')) return 'cross_site';
  } else if (!isRead && !origins.includes(headers.origin ?? '')) return 'cross_site';
  if (isRead || !carriesBody) return null;
  // A cross-site form can send any type but this one without a preflight request.
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '') ? null : 'unsupported_media_type';
}
