import { errorOfAnswer } from '../../../sdk/src/transport/error-of-answer.ts';
import { send } from '../../../sdk/src/transport/send.ts';

/** Query parameters; those without a value are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface Input {
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const settings = {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
  timeoutMs: 60_000,
  attemptTimeoutMs: 60_000,
  maxAttempts: 1,
  backoffMs: 500,
  repeatable: false,
};

/** Calls an endpoint that only the console has, by its path below `/console/api`, with the SDK's own transport. */
export async function request<T>(method: string, path: string, { query = {}, body, signal }: Input = {}): Promise<T> {
  const answer = await send(
    {
      method,
      url: `/console/api${path}${queryString(query)}`,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    },
    { ...settings, signal },
  );
  if (answer.body === null && !answer.isEmpty) throw errorOfAnswer(answer);
  return answer.body as T;
}

function queryString(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
