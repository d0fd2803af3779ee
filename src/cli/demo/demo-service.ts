import { pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import type { Config } from '../../config.ts';
import type { Facts } from '../../lookups/facts.ts';

/** The service of the demonstration while its past is made: its clock is set before each call. */
export interface DemoService {
  readonly app: App;
  /** Lets it be this moment. */
  at(ms: number): void;
  now(): number;
  /** Calls an endpoint; throws what it answered when that is no success. */
  call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    headers: Headers,
    body?: unknown,
  ): Promise<Answered<T>>;
}

/** What a call carries besides its body. */
export type Headers = Readonly<Record<string, string>>;

/** What came back. */
export interface Answered<T> {
  readonly json: T;
  /** The cookie that was set; empty without one. */
  readonly cookie: string;
}

/** Builds the service without a port. */
export async function createDemoService(config: Config, facts: Facts, startMs: number): Promise<DemoService> {
  let nowMs = startMs;
  const now = (): number => nowMs;
  const app = await createApp(config, {
    log: pino({ level: 'silent' }),
    now,
    monotonicMs: () => nowMs - startMs,
    facts,
  });
  return {
    app,
    now,
    at(ms) {
      nowMs = Math.max(nowMs, ms);
    },
    async call(method, path, headers, body) {
      const {
        statusCode,
        body: text,
        headers: told,
      } = await app.server.inject({
        method,
        url: path,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}: ${text}`);
      const [cookie = ''] = String(told['set-cookie'] ?? '').split(';');
      return { json: text === '' ? null : JSON.parse(text), cookie };
    },
  };
}
