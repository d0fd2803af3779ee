import { pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import type { Config } from '../../config.ts';
import type { Facts } from '../../lookups/facts.ts';

/** The service of the demonstration while its past is made: its clock is set before each call. */
export interface DemoService {
  readonly app: App;
  /** Sets the clock. */
  at(ms: number): void;
  now(): number;
  /** Calls an endpoint; throws the response when it is no success. */
  call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    headers: Headers,
    body?: unknown,
  ): Promise<Answered<T>>;
}

/** The headers of a call. */
export type Headers = Readonly<Record<string, string>>;

/** The response. */
export interface Answered<T> {
  readonly json: T;
  /** The cookie that was set; empty without one. */
  readonly cookie: string;
}

/** Builds the service; it listens on a free port of this machine alone. */
export async function createDemoService(config: Config, facts: Facts, startMs: number): Promise<DemoService> {
  let nowMs = startMs;
  const now = (): number => nowMs;
  const app = await createApp(config, {
    log: pino({ level: 'silent' }),
    now,
    monotonicMs: () => nowMs - startMs,
    facts,
  });
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
  return {
    app,
    now,
    at(ms) {
      nowMs = Math.max(nowMs, ms);
    },
    async call(method, path, headers, body) {
      const answer = await fetch(address + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
      return { json: text === '' ? null : JSON.parse(text), cookie };
    },
  };
}
