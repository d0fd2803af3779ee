/**
 * Applies `map` immediately to a value, and after its resolution to a promise. A cached response awaits nothing, and a promise
 * would be a considerable part of its cost.
 */
export function mapMaybePromise<T, R>(value: T | Promise<T>, map: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(map) as Promise<Awaited<R>>) : map(value);
}
