/** The result of a call, and the response that it came in. */
export interface WithResponse<T, R extends Response | null = Response> {
  readonly data: T;
  /** Status and headers as they arrived; its body is already read. Null when an outage was decided without a response. */
  readonly response: R;
  /** The id under which the service logs the request. */
  readonly requestId: string | null;
}

/** The promise of a call's result. `withResponse()` resolves with the raw response and the request id as well. */
export interface ApiPromise<T, R extends Response | null = Response> extends Promise<T> {
  withResponse(): Promise<WithResponse<T, R>>;
}

/** Promises the `data` of a sent request. */
export function apiPromise<T, R extends Response | null>(sent: Promise<WithResponse<T, R>>): ApiPromise<T, R> {
  const result = sent.then((answer) => answer.data);
  return Object.assign(result, {
    withResponse() {
      // The caller receives a failure from `sent`; on `result` it must not count as unhandled.
      result.catch(() => {});
      return sent;
    },
  });
}

/** A call whose result is made from the body of another's. */
export function mapped<T, U>(answer: ApiPromise<T>, map: (body: T) => U): ApiPromise<U> {
  return apiPromise(answer.withResponse().then(({ data, ...rest }) => ({ ...rest, data: map(data) })));
}

/** The value under `data` in a response. */
export const data = <T>(answer: ApiPromise<{ data: T }>): ApiPromise<T> => mapped(answer, (body) => body.data);
