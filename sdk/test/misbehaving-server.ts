import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

/** What the server does with one request. */
export type Behaviour = (response: ServerResponse, request: SeenRequest) => void;

/** A real server that does as it is told, one behaviour a request, the last one for all that follow. */
export interface MisbehavingServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
}

/** Starts a server on the loopback interface. */
export async function misbehave(...behaviours: readonly Behaviour[]): Promise<MisbehavingServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body, atMs: performance.now() };
    seen.push(one);
    behaviours[Math.min(seen.length, behaviours.length) - 1]?.(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers as the service does: with JSON and the id of the request. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': requestId, ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers as something in front of the service does. */
export function html(status: number): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body><h1>Bad luck</h1></body></html>');
  };
}

/** A status and nothing else. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) => void response.writeHead(status, headers).end();
}

/** Hangs up without a word. */
export const hangUp: Behaviour = (response) => void response.destroy();

/** Hangs up in the middle of the body. */
export const cutBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"mx_providers": [', () => response.destroy());
};

/** Begins a body and never ends it. */
export const stall: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"mx_providers": [');
};

/** Never answers. */
export const silence: Behaviour = () => {};

/** Sends a body without end, as fast as it is taken. */
export const flood: Behaviour = (response) => {
  const chunk = 'x'.repeat(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  response.writeHead(200, { 'content-type': 'application/json' });
  more();
};

/** The id that `json` gives every request. */
export const requestId = '01KA0000000000000000000000';

/** The least a lookup answers. */
export const lookup: Behaviour = json({ status: 200, domain: 'example.com', disposable: false, mx_providers: [] });

/** The least a gate answers. */
export const decision: Behaviour = json({
  input: { email: 'jane@example.com' },
  decision: { action: 'allow', matched_rule: null },
  signals: { email: null, domain: {}, ip: null },
  meta: { version: '1' },
});
