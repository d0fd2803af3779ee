import { AnswerError, ConnectionError, SignalpostError, TimeoutError } from '../errors.ts';
import { type Answer, readAnswer } from './answer.ts';
import { errorOfAnswer } from './error-of-answer.ts';
import { pauseBeforeRetry, type RetryPolicy } from './retry.ts';
import { pause, withTimeLimit } from './time-limit.ts';

/** A request as it goes out, as often as it has to. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** How a request is sent. */
export interface SendSettings extends RetryPolicy {
  readonly fetch: typeof fetch;
  /** For everything: all attempts and the pauses between them. */
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request until it succeeds or another attempt is pointless. */
export function send(request: OutgoingRequest, settings: SendSettings): Promise<Answer> {
  const { timeoutMs } = settings;
  const giveUpAt = performance.now() + timeoutMs;
  let attempts = 0;
  let last: SignalpostError | undefined;
  const timeUp = () => new TimeoutError(`No answer within ${timeoutMs} ms`, { attempts, cause: last });
  return withTimeLimit(timeoutMs, settings.signal, timeUp, async (signal) => {
    for (;;) {
      attempts += 1;
      try {
        return await attempt(request, settings, signal, attempts);
      } catch (error) {
        if (signal.aborted || !(error instanceof SignalpostError)) throw error;
        last = error;
      }
      const pauseMs = pauseBeforeRetry(last, settings);
      if (pauseMs === null || performance.now() + pauseMs >= giveUpAt) throw last;
      await pause(pauseMs, signal);
    }
  });
}

async function attempt(
  { method, url, headers, body }: OutgoingRequest,
  { fetch, attemptTimeoutMs }: SendSettings,
  caller: AbortSignal,
  attempts: number,
): Promise<Answer> {
  const timeUp = () => new TimeoutError(`No answer within ${attemptTimeoutMs} ms`, { attempts });
  return withTimeLimit(attemptTimeoutMs, caller, timeUp, async (signal) => {
    // A redirect is not followed: it would turn a POST into a GET, or carry the key elsewhere.
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' }).catch((cause: unknown) => {
      throw new ConnectionError(`${method} ${url} failed: ${reasonOf(cause)}`, { attempts, cause });
    });
    const answer = await readAnswer(response, attempts).catch((cause: unknown) => {
      const ErrorOfBody = cause instanceof RangeError ? AnswerError : ConnectionError;
      const details = { status: response.status, attempts, cause };
      throw new ErrorOfBody(`The answer to ${method} ${url} could not be read: ${reasonOf(cause)}`, details);
    });
    if (!response.ok) throw errorOfAnswer(answer);
    return answer;
  });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message;
}
