/** The token of a one-time link: it is in the URL fragment, which browsers do not send. */
export function tokenOf(hash: string): string | null {
  return /^#([A-Za-z0-9_-]{16,})$/.exec(hash)?.[1] ?? null;
}
