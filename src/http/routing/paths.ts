import type { Family } from '../endpoint.ts';

/** The family of a path that has no endpoint. */
export function familyOfPath(path: string): Family {
  if (isUnder(path, '/v1') || isUnder(path, '/console') || isUnder(path, '/hooks') || path === '/mcp') return 'gates';
  if (isUnder(path, '/v0')) return 'gates-v0';
  if (isUnder(path, '/blocklist')) return 'blocklist';
  return 'lookup';
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** The target of a request. */
export interface Target {
  /** The part before the question mark, not decoded. */
  readonly path: string;
  /** The part after it, not decoded. */
  readonly query: string;
}

/** Splits the target of a request (RFC 9112, section 3.2); proxies may send it with scheme and host. */
export function targetOf(url: string): Target {
  const own = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const hash = own.indexOf('#');
  const whole = hash === -1 ? own : own.slice(0, hash);
  const mark = whole.indexOf('?');
  if (mark === -1) return { path: whole, query: '' };
  return { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}
