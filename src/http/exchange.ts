import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { gzip } from 'node:zlib';
import { isUlid, ulid } from '../ulid.ts';
import type { Throughput } from './admission.ts';
import { accepts } from './answers/content-coding.ts';
import { endTogether } from './answers/end-together.ts';
import { keepAliveHint } from './connections/idle.ts';
import type { Caller, Family } from './endpoint.ts';
import { familyOfPath, targetOf } from './routing/paths.ts';
import type { Route } from './routing/route.ts';
import type { PathValues } from './routing/router.ts';
import type { SessionUser } from './session-api/session-context.ts';
import type { OperationMetrics } from './timing/request-metrics.ts';
import { StageTimes, serverTiming, stage } from './timing/stage-times.ts';

export const jsonType = 'application/json; charset=utf-8';

/** The dependencies of an exchange. */
export interface Serving {
  now(): number;
  /** The process is stopping: responses close their connections. */
  readonly isDraining: boolean;
  /** Answers with a thrown error. */
  fail(error: unknown, exchange: Exchange): void;
  /** Counts and logs a response that was handed to the socket. */
  answered(exchange: Exchange, status: number): void;
  /** Whether every response reports its timings. */
  readonly reportsStages: boolean;
}

/** One request and its response. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly stages: StageTimes;
  readonly path: string;
  readonly #query: string;
  readonly #serving: Serving;
  /** Alternating names and values. */
  #ownHeaders: string[] = none;
  /** Null until the router found it. */
  route: Route | null = null;
  params: PathValues = {};
  caller: Caller | null = null;
  /** The account's remaining throughput; null until the caller is identified. */
  throughput: Throughput | null = null;
  /** The signed-in user of the console. */
  sessionUser: SessionUser | null = null;
  /** The operation that the response is counted as; null when it is not counted. */
  operation: OperationMetrics | null = null;
  /** The status it is counted with; null for the response's own status. */
  countedStatus: number | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, serving: Serving, readAtMs: number) {
    this.request = request;
    this.response = response;
    this.#serving = serving;
    this.stages = new StageTimes(readAtMs);
    if (serving.reportsStages) this.stages.report();
    const given = request.headers['x-request-id'];
    this.id = typeof given === 'string' && isUlid(given) ? given : ulid(serving.now());
    const { path, query } = targetOf(request.url ?? '/');
    this.path = path;
    this.#query = query;
  }

  get query(): Readonly<Record<string, string | string[] | undefined>> {
    return this.#query === '' ? noQuery : parse(this.#query);
  }

  /** The family of its errors. */
  get family(): Family {
    return this.route?.family ?? familyOfPath(this.path);
  }

  /** Sets a response header, which replaces a default one; an empty value removes it. */
  header(name: string, value: string): void {
    if (this.#ownHeaders === none) this.#ownHeaders = [];
    this.#ownHeaders.push(name, value);
  }

  headers(all: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(all)) this.header(name, value);
  }

  /** Closes the connection after this response. */
  closeAfter(): void {
    this.headers(lastAnswer);
  }

  /** Sends JSON; the console's longer responses compressed, because its pages read many of them over slow links. */
  sendJson(status: number, text: string): void {
    if (this.route?.isConsole !== true || text.length < worthCompressing || !accepts('gzip', this.#acceptedCodings)) {
      this.send(status, jsonType, text);
      return;
    }
    gzip(text, fastCompression, (error, packed) => {
      if (error === null) this.header('content-encoding', 'gzip');
      this.send(status, jsonType, error === null ? packed : text);
    });
  }

  get #acceptedCodings(): string {
    return String(this.request.headers['accept-encoding'] ?? '');
  }

  send(status: number, type: string, body: string | Buffer): void {
    const headers = this.#allHeaders(status);
    headers.push('content-type', type, 'content-length', String(Buffer.byteLength(body)));
    this.response.writeHead(status, headers);
    endTogether(this, this.request.method === 'HEAD' ? '' : body);
  }

  /** Responds without a body. */
  sendNothing(status: number): void {
    const headers = this.#allHeaders(status);
    // RFC 9110, section 8.6: these two have no length, not even of nothing.
    if (status !== 204 && status !== 304) headers.push('content-length', '0');
    this.response.writeHead(status, headers);
    endTogether(this, '');
  }

  /** Its response was handed to the socket. */
  answered(nowMs: number): void {
    this.stages.endWait(stage.answer, nowMs);
    this.#serving.answered(this, this.countedStatus ?? this.response.statusCode);
  }

  /** Aborts when the client disconnects: its request need not wait any longer. */
  whenAbandoned(): AbortSignal {
    const controller = new AbortController();
    this.response.once('close', () => controller.abort());
    return controller.signal;
  }

  /** Runs work whose failure becomes the response. */
  attempt(work: () => unknown): void {
    try {
      const outcome = work();
      if (outcome instanceof Promise) outcome.catch((error) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.#serving.fail(error, this);
  }

  /**
   * The headers of every response as one flat list, which Node writes as it is. Browsers call the lookups and the status, so
   * these have CORS headers.
   */
  #allHeaders(status: number): string[] {
    const { throughput, route, stages } = this;
    stages.endWait(stage.answer);
    const headers = ['x-request-id', this.id, 'cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
    if (route === null ? this.family === 'lookup' : route.family === 'lookup' && route.isConsole !== true) {
      headers.push('access-control-allow-origin', '*', 'access-control-expose-headers', exposedHeaders);
    }
    if (throughput !== null) {
      const { limit, remaining } = throughput;
      headers.push('x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining));
    }
    // Node sends this header only with its own idle timer.
    if (this.#serving.isDraining) headers.push('connection', 'close');
    else if (this.response.shouldKeepAlive) headers.push('keep-alive', keepAliveHint);
    // Unless the operator wants them, an error has none: they could tell another account's object from a missing one.
    if (stages.isReported && (status < 400 || this.#serving.reportsStages))
      headers.push('server-timing', serverTiming(stages));
    return this.#ownHeaders === none ? headers : merged(headers, this.#ownHeaders);
  }
}

/** A shorter text fits into one packet anyway. */
const worthCompressing = 1_400;
const fastCompression = { level: 4 };
const none: string[] = [];
const lastAnswer = { connection: 'close', 'keep-alive': '' };
const noQuery = {};
/** The headers of a response that a page of another origin may read. */
export const exposedHeaders = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After';

/** The default headers, with those of one response in place of defaults of the same name. */
function merged(usual: readonly string[], own: readonly string[]): string[] {
  const pairs = (list: readonly string[]) =>
    list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] as string] as const] : []));
  const names = new Set(pairs(own).map(([name]) => name));
  const kept = pairs(usual).filter(([name]) => !names.has(name));
  return [...kept, ...pairs(own)].filter(([, value]) => value !== '').flat();
}
