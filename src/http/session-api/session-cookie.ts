/** Reads and writes the session cookie. */
export interface SessionCookie {
  /** The token that a `Cookie` header holds; null when there is none. */
  read(header: string | undefined, isSecure: boolean): string | null;
  /** The `Set-Cookie` header that stores a token, or with null removes it. */
  write(token: string | null, isSecure: boolean): string;
}

/** The longest life of a session; the server may end it earlier. */
const longestSeconds = 30 * 86_400;

/**
 * Over TLS the name starts with `__Host-`: no other host can set such a cookie, and plain connections do not send it. A cookie of the
 * plain name does not count there.
 */
export function sessionCookie(suffix: string): SessionCookie {
  const nameOf = (isSecure: boolean): string => `${isSecure ? '__Host-' : ''}signalpost_${suffix}`;
  return {
    read(header, isSecure) {
      const start = `${nameOf(isSecure)}=`;
      const found = header
        ?.split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(start));
      return found === undefined || found === start ? null : found.slice(start.length);
    },
    write(token, isSecure) {
      const age = token === null ? 0 : longestSeconds;
      // `__Host-` requires the path `/`; without it, the cookie is limited to the console's path.
      const rest = isSecure ? 'Path=/; Secure' : 'Path=/console/api';
      return `${nameOf(isSecure)}=${token ?? ''}; ${rest}; Max-Age=${age}; HttpOnly; SameSite=Strict`;
    },
  };
}
