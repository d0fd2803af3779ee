import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { type App, createApp } from '../../app/app.ts';
import type { Config } from '../../config.ts';
import type { Facts } from '../../lookups/facts.ts';
import { http } from '../../node-http.ts';

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
  close(): Promise<void>;
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
  const agent = new http.Agent({ keepAlive: true });
  return {
    app,
    now,
    at(ms) {
      nowMs = Math.max(nowMs, ms);
    },
    async call(method, path, headers, body) {
      const json = body === undefined ? undefined : JSON.stringify(body);
      const all = json === undefined ? headers : { ...headers, 'content-type': 'application/json' };
      const answer = await send(http.request(address + path, { agent, method, headers: all }), json);
      const content = await text(answer);
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) throw new Error(`${method} ${path} answered ${status}: ${content}`);
      const [cookie = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';');
      return { json: content === '' ? null : JSON.parse(content), cookie };
    },
    async close() {
      agent.destroy();
      await app.close();
    },
  };
}

/** A call by `fetch` would take twice the processor time, for thousands of calls. */
function send(request: ReturnType<typeof http.request>, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve).on('error', reject).end(body);
  });
}
