/** Where the cookie of the session is read from and written to. */
export interface SessionCookie {
  /** The token that a `Cookie` header holds; null when there is none. */
  read(header: string | undefined, isSecure: boolean): string | null;
  /** The `Set-Cookie` header that keeps a token, or with null removes it. */
  write(token: string | null, isSecure: boolean): string;
}

/** As long as a session may last; whether it still does is for the server to say. */
const longestSeconds = 30 * 86_400;

/**
 * Over TLS the name begins with `__Host-`, which no other host can set and no plain connection reads; there a cookie of the
 * plain name, which both could, does not count.
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
      // `__Host-` asks for the path `/`; where that is not available, at least no other path sees the cookie.
      const rest = isSecure ? 'Path=/; Secure' : 'Path=/console/api';
      return `${nameOf(isSecure)}=${token ?? ''}; ${rest}; Max-Age=${age}; HttpOnly; SameSite=Strict`;
    },
  };
}
