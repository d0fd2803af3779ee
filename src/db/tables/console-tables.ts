/** Somebody who may sign in to the console; `password` is a hash with its parameters, null while none is set. */
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

/** A browser that is signed in, of whose token only the hash is kept. */
export interface SessionsTable {
  id: string;
  hash: string;
  user_id: string;
  by_link: number;
  created_at: number;
  /** Of the last request, to some minutes. */
  seen_at: number;
  came_from: string;
  agent: string;
}

/** The one link that lets a user in once, of whose token only the hash is kept. */
export interface SignInLinksTable {
  hash: string;
  user_id: string;
  expires_at: number;
}

/** How often somebody, or somebody somewhere, tried to sign in; by the hash of who and where. */
export interface SignInTriesTable {
  hash: string;
  tries: number;
  last_at: number;
  forget_at: number;
}
