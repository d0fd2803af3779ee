/**
 * Goes on with a value at once when it is there, and when it has come where it is a promise. A warm answer waits for
 * nothing, and a promise would be a good part of its cost.
 */
export function whenSettled<T, R>(value: T | Promise<T>, goOn: (settled: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(goOn) as Promise<Awaited<R>>) : goOn(value);
}
