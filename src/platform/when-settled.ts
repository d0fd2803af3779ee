/**
 * Continues with a value synchronously, or with a promise's result once it resolves. Use it only where a warm lookup or decision
 * passes, or where a caller needs the result synchronously; elsewhere use `async`
 * (docs/decisions/0037-removed-from-lookups-and-rules.md has the measurement).
 */
export function whenSettled<T, R>(value: T | Promise<T>, next: (resolved: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(next) as Promise<Awaited<R>>) : next(value);
}
