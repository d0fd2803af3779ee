import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * How the server sends a file. `cut` announces the whole length and disconnects in the middle; `held` stops there until it is
 * released.
 */
export type DownloadScenario = 'whole' | 'gzip' | 'half' | 'empty' | 'html' | 'cut' | 'held' | 'error';

/** A server of list files on loopback. */
export interface DownloadServer {
  readonly origin: string;
  /** Requests received by path, with the headers of the last one. */
  readonly requests: Map<string, { count: number; headers: IncomingHttpHeaders }>;
  /** Puts a file at a path (`/list.txt`). */
  serve(path: string, content: string | Buffer, scenario?: DownloadScenario): void;
  /** Sends the rest of every held file. */
  release(): void;
  /** The `Last-Modified` of every file, if set. */
  lastModified: string | null;
  close(): Promise<void>;
}

/** Starts the server. Each file has an entity tag that changes with its content. */
export async function startDownloadServer(): Promise<DownloadServer> {
  const files = new Map<string, { content: Buffer; scenario: DownloadScenario }>();
  const requests: DownloadServer['requests'] = new Map();
  const held: (() => void)[] = [];

  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.set(path, { count: (requests.get(path)?.count ?? 0) + 1, headers: request.headers });
    const file = files.get(path);
    if (file === undefined) response.writeHead(404).end('no such file');
    else {
      if (made.lastModified !== null) response.setHeader('last-modified', made.lastModified);
      if (file.scenario === 'held') held.push(sendHalf(response, file.content));
      else send(response, file.content, file.scenario, request.headers['if-none-match']);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const made: DownloadServer = {
    lastModified: null,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    serve: (path, content, scenario = 'whole') => files.set(path, { content: Buffer.from(content), scenario }),
    release() {
      for (const sendRest of held.splice(0)) sendRest();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return made;
}

/** Sends the first half; returns a function that sends the other. */
function sendHalf(response: ServerResponse, content: Buffer): () => void {
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, content.length >> 1));
  return () => void response.end(content.subarray(content.length >> 1));
}

type AtOnce = Exclude<DownloadScenario, 'held'>;

function send(response: ServerResponse, content: Buffer, scenario: AtOnce, known: string | undefined): void {
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`;
  if (known === etag) return void response.writeHead(304, { etag }).end();
  switch (scenario) {
    case 'whole':
      return void response.writeHead(200, { etag, 'content-length': content.length }).end(content);
    case 'gzip':
      return void response.writeHead(200, { etag, 'content-encoding': 'gzip' }).end(gzipSync(content));
    case 'half':
      return void response.writeHead(200, { etag }).end(content.subarray(0, content.length >> 1));
    case 'empty':
      return void response.writeHead(200, { etag, 'content-length': 0 }).end();
    case 'html':
      response.writeHead(200, { etag, 'content-type': 'text/html' });
      return void response.end('<!doctype html><title>Sign in</title><p>Please sign in to this network.</p>');
    case 'cut':
      response.writeHead(200, { etag, 'content-length': content.length });
      return void response.write(content.subarray(0, content.length >> 1), () => response.destroy());
    case 'error':
      return void response.writeHead(503).end('later');
  }
}
