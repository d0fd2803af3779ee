/** A URL at which an auth server asks a gate about a sign-up. */
export interface HooksTable {
  id: string;
  account_id: string;
  environment: string;
  name: string;
  gate_id: string;
  format: string;
  enabled: number;
  /** `allow` or `block`, like `unavailable`. */
  challenge: string;
  unavailable: string;
  message: string;
  /** Encrypted, like the previous one; null before the auth server's is set. */
  secret: string | null;
  /** The previous secret, which is accepted until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: number | null;
  last_call_at: number | null;
  last_error: string | null;
  created_at: number;
  updated_at: number;
}

/** The calls of a hook in ten minutes, by result. */
export interface HookCallsTable {
  hook_id: string;
  /** When the ten minutes began. */
  slot: number;
  allow: number;
  block: number;
  no_email: number;
  unavailable: number;
  rejected: number;
  disabled: number;
}
