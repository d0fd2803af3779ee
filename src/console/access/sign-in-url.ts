/** A sign-in link. Browsers do not send the URL fragment, so no proxy or log sees the token. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/console/sign-in#${token}`;
}
