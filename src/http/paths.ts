import type { Family } from './endpoint.ts';

/** The family that answers for a path no endpoint owns. */
export function familyOfPath(path: string): Family {
  if (isUnder(path, '/v1') || isUnder(path, '/console') || path === '/mcp') return 'gates';
  if (isUnder(path, '/v0')) return 'gates-v0';
  if (isUnder(path, '/blocklist')) return 'blocklist';
  return 'lookup';
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** The path of a request target, without its query; it ends where the router ends it. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

interface Route {
  readonly method: string;
  readonly path: string;
  /** Its last segment is never taken for a value of another route. */
  readonly isNoValue?: boolean;
}

/** Tells which methods a path accepts; empty for a path that nobody owns. */
export function methodTable(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map(({ path, ...route }) => ({ ...route, segments: path.split('/') }));
  return (path) => {
    const segments = path.split('/');
    const methods = new Set<string>();
    const matching = patterns.filter((pattern) => matches(pattern.segments, segments));
    const own = matching.filter(({ isNoValue }) => isNoValue);
    for (const pattern of own.length > 0 ? own : matching) {
      methods.add(pattern.method);
      if (pattern.method === 'GET') methods.add('HEAD');
    }
    return [...methods];
  };
}

/** As the router does it: an empty path value is a value, for the endpoint to refuse. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith('{') || part === segments[index])
  );
}

/**
 * An invalid percent sequence is malformed input, to be answered after the key was checked like any other. The router
 * would refuse it first, so every `%` becomes an encoded NUL, which no parser of a path value accepts.
 */
export function routableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const path = pathOf(url);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%00') + url.slice(path.length);
  }
}

/** A path of OpenAPI's notation in the router's: `/domain/:domain`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
