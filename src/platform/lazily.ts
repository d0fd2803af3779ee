/** Makes a value when it is first asked for, and keeps it; what throws is tried again the next time. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
