/** What a client is made of. */
export interface ClientSettings {
  /** The key; null makes calls without one, which a service answers only where its operator allows it. */
  readonly apiKey: string | null | undefined;
  /** Where the service is, for example `https://signalpost.example.com`; it may end in a path. */
  readonly baseUrl: string | undefined;
  /** In place of the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
  /** For a whole call, with its attempts and the pauses between them; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** For one attempt; 15,000 by default. The service itself may hold an answer for 10 seconds when `wait` asks it to. */
  readonly attemptTimeoutMs?: number | undefined;
  /** How often a request that is safe to repeat is sent at most; 3 by default. */
  readonly maxAttempts?: number | undefined;
  /** The longest first pause between attempts, which doubles each time; 500 by default. */
  readonly backoffMs?: number | undefined;
  /** Sent along with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What one call may do differently. */
export interface CallOptions
  extends Pick<ClientSettings, 'timeoutMs' | 'attemptTimeoutMs' | 'maxAttempts' | 'headers'> {
  /** Ends the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** True lets a write be sent again after a failure that leaves open whether it was done. */
  readonly repeatable?: boolean | undefined;
}

/** Settings with nothing left open. */
export interface Settings {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Checks settings and fills in defaults; a mistake is a TypeError here rather than a failed request later. */
export function readSettings(settings: ClientSettings): Settings {
  const { apiKey, timeoutMs = 30_000, attemptTimeoutMs = 15_000, maxAttempts = 3, backoffMs = 500 } = settings;
  const numbers = { timeoutMs, attemptTimeoutMs, maxAttempts, backoffMs };
  for (const [name, value] of Object.entries(numbers)) {
    if (!(value > 0)) throw new TypeError(`${name} must be a number above 0`);
  }
  return {
    ...numbers,
    baseUrl: readBaseUrl(settings.baseUrl),
    // Called as a method of anything else, a browser's fetch refuses to run.
    fetch: settings.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: { accept: 'application/json', ...authorization(apiKey), ...settings.headers },
  };
}

function authorization(apiKey: string | null | undefined): Record<string, string> {
  if (apiKey === null) return {};
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey is missing (null: calls without a key)');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey has a blank or another character that no key has');
  return { authorization: `Bearer ${apiKey}` };
}

function readBaseUrl(baseUrl: string | undefined): string {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) {
    throw new TypeError('baseUrl must be a URL, for example http://127.0.0.1:8080');
  }
  const { protocol, origin, pathname, username, search, hash } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl must begin with http:// or https://');
  if (username || search || hash) throw new TypeError('baseUrl must have no user name, query or fragment');
  return origin + pathname.replace(/\/+$/, '');
}
