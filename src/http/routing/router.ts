import type { Route } from './route.ts';

/** The values in a path by their names, decoded. */
export type PathValues = Readonly<Record<string, string>>;

/** A route, and the values that the path of a request has for it. */
export interface Found {
  readonly route: Route;
  readonly params: PathValues;
}

/** Finds who answers a request. */
export interface Router {
  /** Null when nobody answers this method there. */
  find(method: string, path: string): Found | null;
  /** The methods that a path accepts; empty for one that nobody owns. */
  methodsOf(path: string): string[];
}

/** What the paths up to one place have in common. */
interface Place {
  readonly fixed: Map<string, Place>;
  /** Where any value goes on. */
  value: Place | null;
  /** Those that end here, by their method. */
  readonly routes: Map<string, Mounted>;
  /** Nothing else has the last segment for a value. */
  reserved: boolean;
}

/** A route with the names of its values and their places in the path. */
interface Mounted {
  readonly route: Route;
  readonly values: readonly { readonly name: string; readonly index: number }[];
}

/**
 * A path is compared segment by segment, and a fixed segment is preferred to a value. An empty value is a value, for the
 * endpoint to refuse.
 */
export function createRouter(routes: readonly Route[]): Router {
  const root = createPlace();
  const below = routes.filter(({ path }) => path.endsWith('/*'));
  for (const route of routes) if (!below.includes(route)) add(root, route);
  return {
    find(method, path) {
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

const createPlace = (): Place => ({ fixed: new Map(), value: null, routes: new Map(), reserved: false });

function add(root: Place, route: Route): void {
  const segments = route.path.split('/');
  let place = root;
  for (const segment of segments.slice(1)) place = next(place, segment);
  if (place.routes.has(route.method)) throw new Error(`two routes are ${route.method} ${route.path}`);
  const values = segments.flatMap((segment, index) =>
    isValue(segment) ? [{ name: segment.slice(1, -1), index }] : [],
  );
  place.routes.set(route.method, { route, values });
  place.reserved ||= route.reserved ?? false;
}

const isValue = (segment: string): boolean => segment.startsWith('{');

function next(place: Place, segment: string): Place {
  if (isValue(segment)) {
    place.value ??= createPlace();
    return place.value;
  }
  const known = place.fixed.get(segment) ?? createPlace();
  place.fixed.set(segment, known);
  return known;
}

/** The decoded segments of a path, the first of them empty. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  return path.includes('%') ? segments.map(decodeURIComponent) : segments;
}

/** The places where a path ends, best first. */
function endsOf(root: Place, segments: readonly string[]): readonly Place[] {
  const ends: Place[] = [];
  collectEnds(root, segments, 1, ends);
  const own = ends.length > 1 ? ends.find(({ reserved }) => reserved) : undefined;
  return own === undefined ? ends : [own];
}

function collectEnds(place: Place, segments: readonly string[], index: number, ends: Place[]): void {
  if (index === segments.length) {
    if (place.routes.size > 0) ends.push(place);
    return;
  }
  const fixed = place.fixed.get(segments[index] as string);
  if (fixed !== undefined) collectEnds(fixed, segments, index + 1, ends);
  if (place.value !== null) collectEnds(place.value, segments, index + 1, ends);
}

function valuesOf({ values }: Mounted, segments: readonly string[]): PathValues {
  const params: Record<string, string> = {};
  for (const { name, index } of values) params[name] = segments[index] as string;
  return params;
}

const isBelow = (path: string, { path: pattern }: Route): boolean => path.startsWith(pattern.slice(0, -1));
