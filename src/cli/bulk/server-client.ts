import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../../error-message.ts';
import { retryAfterMs } from '../../net/http/retry-after.ts';
import type { BulkAnswer } from './bulk-format.ts';

const passingStatuses: readonly number[] = [500, 502, 503, 504];
const maxFailures = 6;
const maxRefusals = 100;
const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
const requestMs = 30_000;
const longestBody = 1_048_576;

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Looks up addresses and domains on a server, within its rate limit; null for a value that the server rejects. */
export function createServerClient(
  url: string,
  key: string,
  requestsAtOnce: number,
): (value: string) => Promise<BulkAnswer> {
  const pace = createPace(requestsAtOnce);
  return async (value) => {
    const kind = value.includes('@') ? 'email' : 'domain';
    const target = `${url.replace(/\/+$/, '')}/${kind}/${encodeURIComponent(value)}`;
    let failures = 0;
    let refusals = 0;
    for (;;) {
      await pace.turn();
      const reply = await send(target, key);
      if (reply instanceof Error || passingStatuses.includes(reply.status)) {
        failures += 1;
        if (failures === maxFailures) throw new Error(`${url} ${whatFailed(reply)}, ${maxFailures} times in a row`);
        await pause(backoffMs(failures));
        continue;
      }
      pace.learn(reply.headers);
      if (reply.status !== 429) return answerOf(reply, url);
      if (isQuota(reply.headers)) throw new Error(creditsUsedUp);
      refusals += 1;
      if (refusals === maxRefusals) throw new Error(`${url} kept answering 429 (too many requests)`);
      const retryAfter = reply.headers.get('retry-after');
      pace.rest(retryAfter === null ? backoffMs(refusals) : retryAfterMs(retryAfter, Date.now()));
    }
  };
}

const creditsUsedUp =
  'the credits of this key are used up; answers so far are written. With --out, run the same command again after the reset or with another key to resume';

/** A 429 for used-up credits has no Retry-After; a proxy's 429 has no rate-limit headers. */
function isQuota(headers: Headers): boolean {
  return !headers.has('retry-after') && headers.has('x-ratelimit-limit');
}

/** When the next request may start. */
function createPace(requestsAtOnce: number) {
  let nextAtMs = 0;
  let betweenMs = 0;
  return {
    async turn(): Promise<void> {
      for (;;) {
        const waitMs = nextAtMs - performance.now();
        if (waitMs <= 0) break;
        await pause(waitMs);
      }
      nextAtMs = Math.max(nextAtMs, performance.now() + betweenMs);
    },
    /** Requests start without delay while much of the limit is left, and at the limit's rate after that. */
    learn(headers: Headers): void {
      const limit = Number(headers.get('x-ratelimit-limit') ?? 0);
      const remaining = Number(headers.get('x-ratelimit-remaining') ?? requestsAtOnce);
      betweenMs = limit > 0 && remaining < requestsAtOnce ? 1_000 / limit : 0;
    },
    /** No request starts for this long. */
    rest(ms: number): void {
      nextAtMs = Math.max(nextAtMs, performance.now() + ms);
    },
  };
}

/** Exponential with full jitter. */
function backoffMs(attempts: number): number {
  return Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempts - 1));
}

async function send(target: string, key: string): Promise<Reply | Error> {
  try {
    const response = await fetch(target, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(requestMs),
    });
    return { status: response.status, headers: response.headers, body: await boundedText(response) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > longestBody) throw new Error('the answer is longer than 1 MB');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function whatFailed(reply: Reply | Error): string {
  if (!(reply instanceof Error)) return `answered ${reply.status}`;
  return `could not be reached (${errorMessage(reply.cause ?? reply)})`;
}

function answerOf({ status, body }: Reply, url: string): BulkAnswer {
  const value = objectOf(body);
  if (status === 200 && value !== null) return value;
  if (status === 400 && value !== null) return null;
  if (status === 401) throw new Error(`${url} rejects this key; check SIGNALPOST_KEY or --key`);
  throw new Error(`${url} answered ${status}, which is not an answer of Signalpost to a lookup`);
}

function objectOf(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // Perhaps a proxy's page: its status decides.
    return null;
  }
}
