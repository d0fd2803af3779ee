import { type Response as Dispatched, inject as dispatch, type InjectOptions } from 'light-my-request';
import type { HttpServer } from '../src/http/server.ts';

/** A request that reaches the whole HTTP stack without a port. */
export interface InjectedRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly path: string;
  /** Sent as `Authorization: Bearer KEY`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or buffer is sent unchanged (as `application/json` unless `headers` says otherwise); anything else as JSON. */
  readonly body?: unknown;
  readonly remoteAddress?: string;
}

/** A response; `json` is undefined when the body is not JSON. */
export interface Response<T = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly json: T;
  readonly text: string;
}

/** Sends one request to a server that does not listen; returns the response with its bytes. */
export const injectRaw = (server: HttpServer, request: InjectOptions): Promise<Dispatched> =>
  dispatch(server.serve, request);

/** Sends one request to a server that does not listen. */
export async function inject<T = unknown>(server: HttpServer, request: InjectedRequest): Promise<Response<T>> {
  const { method, path, key, body, remoteAddress } = request;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const answer = await injectRaw(server, {
    method,
    url: path,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { payload: isRaw ? body : JSON.stringify(body) }),
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });
  const isJson = answer.body !== '' && String(answer.headers['content-type']).startsWith('application/json');
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
    ),
    json: isJson ? JSON.parse(answer.body) : undefined,
    text: answer.body,
  };
}
