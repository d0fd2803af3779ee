import { boundedMap } from '../../platform/bounded-map.ts';
import { detachedCopy } from '../../platform/detached-copy.ts';
import type { Route } from './route.ts';

/** The values in a path by their names, decoded. */
export type PathValues = Readonly<Record<string, string>>;

/** A route, and the values of its path parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: PathValues;
}

/** Finds the route of a request. */
export interface Router {
  /** Null when no route accepts this method there. */
  find(method: string, path: string): RouteMatch | null;
  /** The methods that a path accepts; empty for an unknown path. */
  methodsOf(path: string): string[];
}

/** A node of the tree of path segments. */
interface PathNode {
  readonly fixed: Map<string, PathNode>;
  /** The child for any value. */
  value: PathNode | null;
  /** The routes that end here, by method. */
  readonly routes: Map<string, Mounted>;
  /** The last segment is never a value of another route. */
  reserved: boolean;
}

/** A route with the names of its values and their positions in the path. */
interface Mounted {
  readonly route: Route;
  readonly values: readonly { readonly name: string; readonly index: number }[];
}

/** Paths of POST requests whose route is kept, and the longest of them. */
const maxPosted = 1_000;
const maxKeptPath = 200;

/**
 * Compares a path segment by segment and prefers a fixed segment to a value. An empty value is a value, for the endpoint to
 * reject.
 */
export function createRouter(routes: readonly Route[]): Router {
  const root = createNode();
  const below = routes.filter(({ path }) => path.endsWith('/*'));
  for (const route of routes) if (!below.includes(route)) add(root, route);
  const posted = boundedMap<string, RouteMatch>(maxPosted);
  const search = (method: string, path: string): RouteMatch | null => {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const segments = segmentsOf(path);
    const ends = endsOf(root, segments);
    for (const { routes } of ends) {
      const mounted = routes.get(wanted);
      if (mounted !== undefined) return { route: mounted.route, params: valuesOf(mounted, segments) };
    }
    const route = ends.length > 0 ? undefined : below.find((each) => wanted === each.method && isBelow(path, each));
    return route === undefined
      ? null
      : { route, params: { rest: segments.slice(route.path.split('/').length - 1).join('/') } };
  };
  return {
    find(method, path) {
      // Lookups have a path for each name; decisions have one for each gate.
      if (method !== 'POST') return search(method, path);
      const known = posted.get(path);
      if (known !== undefined) return known;
      const match = search(method, path);
      if (match !== null && path.length <= maxKeptPath) posted.set(detachedCopy(path), match);
      return match;
    },
    methodsOf(path) {
      const methods = new Set<string>();
      for (const { routes } of endsOf(root, segmentsOf(path))) {
        for (const method of routes.keys()) {
          methods.add(method);
          if (method === 'GET') methods.add('HEAD');
        }
      }
      return [...methods];
    },
  };
}

const createNode = (): PathNode => ({ fixed: new Map(), value: null, routes: new Map(), reserved: false });

function add(root: PathNode, route: Route): void {
  const segments = route.path.split('/');
  let node = root;
  for (const segment of segments.slice(1)) node = next(node, segment);
  if (node.routes.has(route.method)) throw new Error(`two routes are ${route.method} ${route.path}`);
  const values = segments.flatMap((segment, index) =>
    isValue(segment) ? [{ name: segment.slice(1, -1), index }] : [],
  );
  node.routes.set(route.method, { route, values });
  node.reserved ||= route.reserved ?? false;
}

const isValue = (segment: string): boolean => segment.startsWith('{');

function next(node: PathNode, segment: string): PathNode {
  if (isValue(segment)) {
    node.value ??= createNode();
    return node.value;
  }
  const known = node.fixed.get(segment) ?? createNode();
  node.fixed.set(segment, known);
  return known;
}

/**
 * The decoded segments of a path, the first of them empty. An invalid percent sequence is malformed input, which is answered
 * after the key was checked. So every `%` of such a path becomes a NUL, which no parser of a path value accepts.
 */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return segments.map((segment) => segment.replaceAll('%', '\0'));
  }
}

/** The nodes where a path ends, best first. */
function endsOf(root: PathNode, segments: readonly string[]): readonly PathNode[] {
  const ends: PathNode[] = [];
  collectEnds(root, segments, 1, ends);
  const own = ends.length > 1 ? ends.find(({ reserved }) => reserved) : undefined;
  return own === undefined ? ends : [own];
}

function collectEnds(node: PathNode, segments: readonly string[], index: number, ends: PathNode[]): void {
  if (index === segments.length) {
    if (node.routes.size > 0) ends.push(node);
    return;
  }
  const fixed = node.fixed.get(segments[index] as string);
  if (fixed !== undefined) collectEnds(fixed, segments, index + 1, ends);
  if (node.value !== null) collectEnds(node.value, segments, index + 1, ends);
}

function valuesOf({ values }: Mounted, segments: readonly string[]): PathValues {
  const params: Record<string, string> = {};
  for (const { name, index } of values) params[name] = segments[index] as string;
  return params;
}

const isBelow = (path: string, { path: pattern }: Route): boolean => path.startsWith(pattern.slice(0, -1));
