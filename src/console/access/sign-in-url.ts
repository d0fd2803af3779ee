/** A link that lets somebody in. What is behind `#` no browser sends, so no proxy and no log sees the token. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/console/sign-in#${token}`;
}
