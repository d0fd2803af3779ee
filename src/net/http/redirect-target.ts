import { GuardedHttpError } from './guarded-http-error.ts';
import { originOf } from './outbound-guard.ts';

/** The URL of a request: http or https, without credentials; `bad_url` otherwise. */
export function parseTarget(text: string): URL {
  return checked(URL.parse(text), 'bad_url');
}

/** Where a redirect leads; `bad_redirect` when it leads nowhere, to another scheme, or from https down to http. */
export function redirectTarget(from: URL, location: string | undefined, isExempt: (origin: string) => boolean): URL {
  if (location === undefined) throw new GuardedHttpError('bad_redirect', 'A redirect without a location');
  const next = checked(URL.parse(location, from.href), 'bad_redirect');
  if (from.protocol === 'https:' && next.protocol === 'http:' && !isExempt(originOf(next))) {
    throw new GuardedHttpError('bad_redirect', 'A redirect from https to http');
  }
  return next;
}

function checked(url: URL | null, reason: 'bad_url' | 'bad_redirect'): URL {
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new GuardedHttpError(reason, 'Not an http or https URL');
  }
  if (url.username !== '' || url.password !== '') throw new GuardedHttpError(reason, 'Credentials in a URL');
  return url;
}
