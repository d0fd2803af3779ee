import { version } from './version.ts';

/** The settings of a client. */
export interface ClientSettings {
  /** The API key; null sends none, which a service accepts only if its operator allows it. */
  readonly apiKey: string | null | undefined;
  /** The URL of the service, for example `https://signalpost.example.com`; it may end in a path. */
  readonly baseUrl: string | undefined;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** The timeout of a whole call, including its retries and the pauses between them; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** The timeout of one attempt; 15,000 by default. With `wait`, the service may delay a response for 10 seconds. */
  readonly attemptTimeoutMs?: number | undefined;
  /** The maximum number of attempts for a request that is safe to repeat; 3 by default. */
  readonly maxAttempts?: number | undefined;
  /** The longest first pause between attempts, which doubles each time; 500 by default. */
  readonly backoffMs?: number | undefined;
  /** True allows an API key in a browser, where every visitor can read it. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of one call. */
export interface CallOptions
  extends Pick<ClientSettings, 'timeoutMs' | 'attemptTimeoutMs' | 'maxAttempts' | 'headers'> {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** True retries a write after a failure, even if the first attempt may have succeeded. */
  readonly repeatable?: boolean | undefined;
}

/** Settings with all defaults filled in. */
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
  if (typeof apiKey === 'string' && isBrowser() && settings.dangerouslyAllowBrowser !== true) {
    throw new TypeError(keyInBrowser);
  }
  return {
    ...numbers,
    baseUrl: readBaseUrl(settings.baseUrl),
    // A browser's fetch throws if it is called as a method of another object.
    fetch: settings.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: { accept: 'application/json', ...userAgent(), ...authorization(apiKey), ...settings.headers },
  };
}

const keyInBrowser =
  'An API key in a browser is public: every visitor can read it and use it. Call Signalpost from your server. ' +
  'If you accept the risk, set dangerouslyAllowBrowser: true';

/** In every browser, page or worker, the user agent starts like this; Node, Deno, Bun and edge runtimes have other names. */
const isBrowser = (): boolean => globalThis.navigator?.userAgent?.startsWith('Mozilla/') === true;

/** A page may not set this header, or needs the server's permission for it. */
const userAgent = (): Record<string, string> => (isBrowser() ? {} : { 'user-agent': `signalpost-client/${version}` });

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
