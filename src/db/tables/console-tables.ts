/** A user of the console; `password` is a hash with its parameters, null while none is set. */
export interface UsersTable {
  id: string;
  account_id: string;
  /** In lower case. */
  email: string;
  role: string;
  password: string | null;
  created_at: number;
  signed_in_at: number | null;
}

/** A signed-in browser; only the hash of its token is stored. */
export interface SessionsTable {
  id: string;
  hash: string;
  user_id: string;
  by_link: number;
  created_at: number;
  /** The time of the last request, accurate to some minutes. */
  seen_at: number;
  came_from: string;
  agent: string;
}

/** A user's one-time sign-in link; only the hash of its token is stored. */
export interface SignInLinksTable {
  hash: string;
  user_id: string;
  expires_at: number;
}

/** Sign-in attempts by the hash of the user, or of the user and client. */
export interface SignInTriesTable {
  hash: string;
  tries: number;
  last_at: number;
  forget_at: number;
}
