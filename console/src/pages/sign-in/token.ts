/** The token of a one-time link: it stands behind the #, which browsers send to nobody. */
export function tokenOf(hash: string): string | null {
  return /^#([A-Za-z0-9_-]{16,})$/.exec(hash)?.[1] ?? null;
}
