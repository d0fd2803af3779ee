/** The value of the longest suffix of a host name in a table, matched on label boundaries; null when none is there. */
export function longestSuffix<T>(hostname: string, table: ReadonlyMap<string, T>): T | null {
  let suffix = hostname;
  for (;;) {
    const value = table.get(suffix);
    if (value !== undefined) return value;
    const dot = suffix.indexOf('.');
    if (dot < 0) return null;
    suffix = suffix.slice(dot + 1);
  }
}
