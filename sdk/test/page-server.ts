import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Serves an empty page, and the modules of a folder below `/client/`, from an origin of its own. */
export async function servePage(modules: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(({ url = '' }, response) => {
    const file = /^\/client\/((?:[a-z-]+\/)?[a-z-]+\.js)$/.exec(url)?.[1];
    if (file !== undefined) {
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(modules, file)));
    } else response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
