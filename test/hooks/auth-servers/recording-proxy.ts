import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A call of an auth server and its answer. */
export interface Exchange {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly response: { readonly status: number; readonly type: string | null; readonly body: string };
  readonly durationMs: number;
}

/** Stands between an auth server and the service, records every exchange, and delays or refuses answers. */
export interface RecordingProxy {
  readonly url: string;
  readonly exchanges: Exchange[];
  delayMs: number;
  /** Whether connections are refused. */
  isStopped: boolean;
  close(): void;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const server = createServer(async (request, response) => {
    if (proxy.isStopped) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    await sleep(proxy.delayMs);
    const startedMs = performance.now();
    const headers = ownHeaders(request.headers);
    const answer = await fetch(target + (request.url ?? ''), { method: 'POST', headers, body });
    const text = await answer.text();
    const type = answer.headers.get('content-type');
    proxy.exchanges.push({
      request: { headers, body: body.toString() },
      response: { status: answer.status, type, body: text },
      durationMs: performance.now() - startedMs,
    });
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const proxy: RecordingProxy = {
    url: `http://127.0.0.1:${port}`,
    exchanges: [],
    delayMs: 0,
    isStopped: false,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}

/** The headers that the server wrote itself, without those of the connection. */
function ownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const hopByHop = ['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding'];
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !hopByHop.includes(name) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}
