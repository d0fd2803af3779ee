import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** How the server responds to requests for one domain. */
export type RdapScenario =
  /** With `after`, it responds only then. */
  | { readonly kind: 'registered'; readonly at: string; readonly action?: string; readonly after?: Promise<void> }
  | { readonly kind: 'no_events' | 'not_found' | 'error' | 'silent' | 'drip' | 'loop' | 'huge' | 'gzip_bomb' | 'deep' }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'limited'; readonly retryAfter?: string }
  | { readonly kind: 'wrong'; readonly body: string }
  /** Refuses requests for this name. */
  | { readonly kind: 'refused'; readonly status: number };

/** A registry's RDAP server on loopback, with a bootstrap registry that refers to it. */
export interface RdapServer {
  readonly origin: string;
  readonly bootstrapUrl: string;
  /** Requests received by path. */
  readonly requests: Map<string, number>;
  /** Body bytes sent so far, over all responses. */
  sentBytes(): number;
  behave(domain: string, scenario: RdapScenario): void;
  /** The response of the bootstrap address; an object is sent as JSON. */
  setBootstrap(document: object | string, status?: number): void;
  close(): Promise<void>;
}

const rdapJson = 'application/rdap+json';
const mebibyte = 1024 * 1024;

/** Starts the server. Domains without a scenario are not found. */
export async function startRdapServer(suffixes: readonly string[] = ['test']): Promise<RdapServer> {
  const scenarios = new Map<string, RdapScenario>();
  const requests = new Map<string, number>();
  const closing = new AbortController();
  let bootstrap = { status: 200, body: '' };
  let sent = 0;

  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.set(path, (requests.get(path) ?? 0) + 1);
    if (path === '/bootstrap.json') {
      response.writeHead(bootstrap.status, { 'content-type': 'application/json' }).end(bootstrap.body);
      return;
    }
    const scenario = scenarios.get(/\/domain\/([^/?]+)/.exec(path)?.[1] ?? '') ?? { kind: 'not_found' };
    const onSent = (bytes: number) => {
      sent += bytes;
    };
    answer(scenario, request, response, { signal: closing.signal, onSent }).catch((error: unknown) => {
      // Most scenarios make the client disconnect in the middle.
      if (!response.destroyed && !closing.signal.aborted) throw error;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const setBootstrap = (document: object | string, status = 200) => {
    bootstrap = { status, body: typeof document === 'string' ? document : JSON.stringify(document) };
  };
  setBootstrap({ version: '1.0', services: [[suffixes, [`${origin}/rdap/`]]] });

  return {
    origin,
    bootstrapUrl: `${origin}/bootstrap.json`,
    requests,
    sentBytes: () => sent,
    behave: (domain, scenario) => scenarios.set(domain, scenario),
    setBootstrap,
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Wire {
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
}

async function answer(scenario: RdapScenario, request: IncomingMessage, response: ServerResponse, wire: Wire) {
  switch (scenario.kind) {
    case 'registered': {
      const action = scenario.action ?? 'registration';
      if (scenario.after !== undefined) await scenario.after;
      const events = [
        { eventAction: 'last changed', eventDate: '2020-02-02T00:00:00Z' },
        { eventAction: action, eventDate: scenario.at },
      ];
      return sendJson(response, 200, JSON.stringify({ objectClassName: 'domain', events }));
    }
    case 'no_events':
      return sendJson(response, 200, '{"objectClassName":"domain"}');
    case 'not_found':
      return sendJson(response, 404, '{"errorCode":404}');
    case 'error':
      return sendJson(response, 500, '{"errorCode":500}');
    case 'silent':
      return undefined;
    case 'drip':
      return drip(response, wire);
    case 'redirect':
      return void response.writeHead(302, { location: scenario.to }).end('moved');
    case 'loop':
      return void response.writeHead(301, { location: request.url }).end();
    case 'huge':
      response.writeHead(200, { 'content-type': rdapJson });
      return sendPieces(response, Buffer.alloc(mebibyte, ' '), 300, wire);
    case 'gzip_bomb':
      // 300 members of 1 MiB each: about 300 KB on the wire, 300 MiB unpacked.
      response.writeHead(200, { 'content-type': rdapJson, 'content-encoding': 'gzip' });
      return sendPieces(response, gzipSync(Buffer.alloc(mebibyte, ' ')), 300, wire);
    case 'deep':
      return sendJson(response, 200, `{"events":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    case 'limited': {
      const headers = scenario.retryAfter === undefined ? {} : { 'retry-after': scenario.retryAfter };
      return void response.writeHead(429, headers).end('{"errorCode":429}');
    }
    case 'refused':
      return sendJson(response, scenario.status, JSON.stringify({ errorCode: scenario.status }));
    case 'wrong':
      return sendJson(response, 200, scenario.body);
  }
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': rdapJson }).end(body);
}

/** One byte at a time for a minute: each byte resets an idle timeout, so that only an overall deadline ends it. */
async function drip(response: ServerResponse, { signal, onSent }: Wire): Promise<void> {
  response.writeHead(200, { 'content-type': rdapJson });
  for (let second = 0; second < 600 && !response.destroyed; second++) {
    response.write(' ');
    onSent(1);
    await delay(100, undefined, { signal });
  }
  response.end('{}');
}

/** Sends a chunk many times, as fast as the client reads. */
async function sendPieces(response: ServerResponse, piece: Buffer, times: number, wire: Wire): Promise<void> {
  for (let count = 0; count < times && !response.destroyed; count++) {
    const flushed = response.write(piece);
    wire.onSent(piece.length);
    if (!flushed) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}
