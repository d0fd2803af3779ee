import { type ApiPromise, apiPromise, type WithResponse } from './api-promise.ts';
import { AnswerError, BadRequestError } from './errors.ts';
import { type Operations, operations } from './operations.ts';
import type { CallOptions, Settings } from './settings.ts';
import type { Answer } from './transport/answer.ts';
import { requestIdOf } from './transport/error-of-answer.ts';
import { send } from './transport/send.ts';

/** The name of an operation, as openapi.json has it. */
export type OperationName = keyof Operations;
/** The query parameters of an operation. */
export type QueryOf<Name extends OperationName> = Operations[Name] extends { query: infer Query } ? Query : never;
/** The request body of an operation. */
export type BodyOf<Name extends OperationName> = Operations[Name] extends { body: infer Body } ? Body : never;
/** The response body of an operation. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer'];
/** The value under `data` in the response of an operation. */
export type DataOf<Name extends OperationName> = AnswerOf<Name> extends { data: infer Data } ? Data : never;
/** An item of the list that an operation returns under `data`. */
export type ItemOf<Name extends OperationName> = DataOf<Name> extends (infer Item)[] ? Item : never;

/** Calls an operation of a table and returns the body of its response. */
export type CallOf<Types extends TypesOf<Types>> = <Name extends keyof Types>(
  name: Name,
  input: Omit<Types[Name], 'answer'>,
  options?: CallOptions,
) => ApiPromise<Types[Name]['answer']>;

/** Calls an operation of openapi.json. */
export type Call = CallOf<Operations>;

type TypesOf<Types> = { [Name in keyof Types]: { answer: unknown } };

/** How to call an operation, and which parts its response must have; null: it has no body. */
interface OperationRow {
  readonly method: string;
  readonly path: string;
  readonly needs: readonly string[] | null;
}

/** Operations that are safe to repeat, besides reads and removals. */
const repeatableWrites: readonly OperationName[] = [
  'decide',
  'backtest',
  'trace',
  'suggestRules',
  'setOutcome',
  'reportOutcomes',
  'reportWaveOutcome',
];

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Calls the operations of openapi.json. */
export const createCall = (settings: Settings): Call =>
  createCallOf<Operations>(operations, settings, repeatableWrites);

/** Calls the operations of any table of this form. */
export function createCallOf<Types extends TypesOf<Types>>(
  table: Readonly<Record<keyof Types, OperationRow>>,
  settings: Settings,
  repeatableNames: readonly (keyof Types)[] = [],
): CallOf<Types> {
  const request = async <Name extends keyof Types>(
    name: Name,
    input: AnyInput,
    options: CallOptions,
  ): Promise<WithResponse<Types[Name]['answer']>> => {
    const { method, path, needs } = table[name];
    const { path: values = {}, query = {}, body } = input;
    const url = settings.baseUrl + fillPath(path, values) + queryString(query);
    const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
    const repeatable = options.repeatable ?? (['GET', 'DELETE'].includes(method) || repeatableNames.includes(name));
    const answer = await send(
      {
        method,
        url,
        headers: { ...settings.headers, ...contentType, ...options.headers },
        body: body === undefined ? null : JSON.stringify(body),
      },
      {
        fetch: settings.fetch,
        backoffMs: settings.backoffMs,
        timeoutMs: options.timeoutMs ?? settings.timeoutMs,
        attemptTimeoutMs: options.attemptTimeoutMs ?? settings.attemptTimeoutMs,
        maxAttempts: options.maxAttempts ?? settings.maxAttempts,
        signal: options.signal,
        repeatable,
      },
    );
    const data = checkedBody(answer, needs) as Types[Name]['answer'];
    return { data, response: answer.response, requestId: requestIdOf(answer.response) };
  };
  return (name, input, options = {}) => apiPromise(request(name, input, options));
}

function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeSegment(String(values[name] ?? '')));
}

/** A value as one path segment. Rejects values that would change the path: `..` would name the parent. */
function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
    throw new BadRequestError(`${JSON.stringify(value)} cannot be part of a path`, { status: 400 });
  }
  return encodeURIComponent(value);
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

function checkedBody(
  { response, body, isEmpty, attempts }: Answer,
  needs: readonly string[] | null,
): Answer['body'] | undefined {
  // A proxy that does not know the name may answer anything with an empty 200.
  if (needs === null && response.status === 204) return undefined;
  const missing = needs?.find((name) => typeof body?.[name] !== 'object' || body[name] === null);
  if (needs !== null && body !== null && missing === undefined) return body;
  const wrong =
    needs === null
      ? 'this call answers with 204'
      : isEmpty
        ? 'it is empty'
        : body === null
          ? 'it is not a JSON object'
          : `it has no ${missing}`;
  const { status } = response;
  const details = { status, body, requestId: requestIdOf(response), attempts };
  throw new AnswerError(`The service answered with status ${status}, but the body is not its own: ${wrong}`, details);
}
