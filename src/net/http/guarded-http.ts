import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https from 'node:https';
import { http } from '../../node-http.ts';
import { ask, type Outbound } from './ask.ts';
import { type DownloadOptions, type DownloadResult, saveBody } from './download.ts';
import { GuardedHttpError, toGuardedHttpError } from './guarded-http-error.ts';
import { streamLimitedBody } from './limited-body.ts';
import { createOutboundGuard, originOf, type ResolveHost } from './outbound-guard.ts';
import { type PostAnswer, type PostOptions, post } from './post.ts';
import { parseTarget, redirectTarget } from './redirect-target.ts';
import { withinTime } from './within-time.ts';

export interface GuardedHttpOptions {
  /** Origins exempt from the private-address rule and from the https-to-http rule. */
  readonly allowOrigins: readonly string[];
  /** No request is sent; every call throws `offline`. */
  readonly offline: boolean;
  readonly resolve?: ResolveHost;
  /** Connections to one origin, and in total; defaults suit a client of many origins. */
  readonly connections?: { readonly perOrigin: number; readonly total: number };
}

export interface GetOptions {
  /** For the whole request: lookup, connection, redirects, headers, body. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly accept?: string;
  /** Sent to the first origin only: a redirect to another one drops them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The final URL, after redirects. */
  readonly url: string;
}

/** The HTTP client of the service. Every failure is a `GuardedHttpError`; every status is an answer. */
export interface GuardedHttp {
  get(url: string, options: GetOptions): Promise<HttpAnswer>;
  /** Sends a body once, to this URL only: a redirect is a response like any other. */
  post(url: string, options: PostOptions): Promise<PostAnswer>;
  /** Saves a body to a file, replaced atomically; `bad_status` unless the response is 200 or 304. */
  download(url: string, file: string, options: DownloadOptions): Promise<DownloadResult>;
  /** Whether the operator exempted the origin of this address from the rules about private addresses. */
  isExempt(url: URL): boolean;
  /** Drops idle connections. */
  close(): void;
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Creates the client. No cookies, no proxies, no forwarded credentials; the guard applies to every redirect. */
export function createGuardedHttp(settings: GuardedHttpOptions): GuardedHttp {
  const { allowOrigins, offline, resolve, connections = { perOrigin: 16, total: 64 } } = settings;
  const guard = createOutboundGuard(resolve === undefined ? { allowOrigins } : { allowOrigins, resolve });
  const { perOrigin: maxSockets, total: maxTotalSockets } = connections;
  const pool = { keepAlive: true, maxSockets, maxTotalSockets, maxFreeSockets: 4, timeout: 10_000 };
  const agents = { 'http:': new http.Agent(pool), 'https:': new https.Agent(pool) };
  const outbound: Outbound = { guard, agents };

  async function request<T>(url: string, options: GetOptions, read: ReadResponse<T>): Promise<T> {
    if (offline) throw new GuardedHttpError('offline', 'The service is offline');
    return withinTime(options, async (signal) => {
      try {
        const received = await follow(outbound, url, options, signal);
        try {
          return await read(received, signal);
        } finally {
          received.message.destroy();
        }
      } catch (error) {
        throw toGuardedHttpError(error);
      }
    });
  }

  return {
    get: (url, options) => request(url, options, (received, signal) => readAnswer(received, options.maxBytes, signal)),
    download(url, file, options) {
      const known = options.etag === undefined ? {} : { 'if-none-match': options.etag };
      const withTag = { ...options, headers: { ...options.headers, ...known } };
      return request(url, withTag, (received, signal) => saveBody(received, file, options, signal));
    },
    async post(url, options) {
      if (offline) throw new GuardedHttpError('offline', 'The service is offline');
      return post(outbound, url, options);
    },
    isExempt: (url) => guard.isExempt(originOf(url)),
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** The last response, and where it came from. */
export interface Received {
  readonly message: IncomingMessage;
  readonly target: URL;
}

type ReadResponse<T> = (received: Received, signal: AbortSignal) => Promise<T>;

async function readAnswer({ message, target }: Received, maxBytes: number, signal: AbortSignal): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  await streamLimitedBody(message, { maxBytes, signal }, (chunk) => {
    chunks.push(chunk);
  });
  return { status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks), url: target.href };
}

/** Sends a request and follows redirects itself, so that each hop passes the same checks as the first. */
async function follow(outbound: Outbound, url: string, options: GetOptions, signal: AbortSignal): Promise<Received> {
  const start = parseTarget(url);
  let target = start;
  for (let redirects = 0; ; redirects++) {
    const sameOrigin = originOf(target) === originOf(start);
    const headers = {
      'user-agent': 'signalpost',
      accept: options.accept ?? '*/*',
      'accept-encoding': 'gzip, br',
      ...(sameOrigin ? options.headers : undefined),
    };
    const message = await ask(outbound, target, { headers }, signal);
    if (!redirectStatuses.has(message.statusCode ?? 0)) return { message, target };
    message.destroy();
    if (redirects === maxRedirects) {
      throw new GuardedHttpError('too_many_redirects', `More than ${maxRedirects} redirects`);
    }
    target = redirectTarget(target, message.headers.location, outbound.guard.isExempt);
  }
}
