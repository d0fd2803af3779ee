import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { exchangeRaw } from '../../../test/raw-http.ts';
import { createConnections, type Serve } from './connections.ts';

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;

/** A server of nothing but connections, which goes when the test ends. */
async function listening(
  t: TestContext,
  serve: Serve,
  onRead: (request: IncomingMessage) => void = () => {},
): Promise<number> {
  const server = createConnections(Date.now).listen(serve).on('request', onRead);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

async function opened(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

describe('requests that arrive together', () => {
  it('requests that arrive together are each answered, but one whose client goes before it is begun is not', async (t) => {
    const served: string[] = [];
    const port = await listening(
      t,
      ({ url = '' }, response) => {
        served.push(url);
        response.end(`answer to ${url}`);
      },
      ({ url, socket }) => {
        if (url === '/gone') socket.destroy();
      },
    );
    const ask = async (path: string): Promise<string> => {
      const client = await opened(t, port);
      client.write(request(path));
      const [said = ''] = await Promise.race([once(client, 'data'), once(client, 'close').then(() => [''])]);
      return String(said).split('\r\n').at(-1) ?? '';
    };
    const answers = await Promise.all(['/gone', '/one', '/other'].map(ask));
    assert.deepEqual(answers, ['', 'answer to /one', 'answer to /other']);
    assert.deepEqual(served.sort(), ['/one', '/other']);
  });
});

describe('requests that a client sends without waiting for answers', () => {
  it('requests that a client sends without waiting for answers are begun one after the other, with the requests of other clients in between', async (t) => {
    const served: string[] = [];
    const port = await listening(t, ({ url = '' }, response) => {
      served.push(url);
      if (served.length === 1) other.write(request('/other'));
      response.end('ok');
    });
    const other = await opened(t, port);
    const many = await opened(t, port);
    many.write(request('/many').repeat(500));
    await eventually(async () => assert.equal(served.length, 501));
    const place = served.indexOf('/other');
    assert.ok(place > 0 && place < 400, `served after ${place} of 500`);
  });

  it('requests that a client sends without waiting for answers cut their connection off when very many wait already, and a few are answered nevertheless', async (t) => {
    let held = 0;
    const port = await listening(t, ({ url }, response) => {
      if (url === '/held') held += 1;
      else response.end(url);
    });
    const hogs = await Promise.all(Array.from({ length: 5 }, () => opened(t, port)));
    for (const hog of hogs) {
      hog.resume();
      hog.write(request('/held').repeat(1_500));
    }
    await eventually(async () => assert.equal(hogs.filter(({ destroyed }) => destroyed).length, 1));
    // One of each at most: none of a client that is cut off immediately has started.
    assert.ok(held === 4 || held === 5, `${held} were begun`);
    const last = 'GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
    const said = await exchangeRaw(port, request('/few').repeat(3) + last).whole;
    assert.deepEqual(said.match(/\/few|\/last/g), ['/few', '/few', '/few', '/last']);
  });

  it('requests that a client sends without waiting for answers are no longer read once their connection is cut off', async (t) => {
    const count = { begun: 0, read: 0 };
    const port = await listening(
      t,
      () => {
        count.begun += 1;
      },
      () => {
        count.read += 1;
      },
    );
    const hogs = await Promise.all(Array.from({ length: 4 }, () => opened(t, port)));
    for (const hog of hogs) {
      hog.resume();
      hog.write(request('/').repeat(20_000));
    }
    await eventually(async () => assert.equal(hogs.filter(({ destroyed }) => destroyed).length, 1));
    await eventually(async () => assert.ok(count.begun >= 3));
    const { begun } = count;
    assert.ok(begun <= 4, `${begun} were begun`);
    // One read of each socket that stays open.
    assert.ok(count.read < 7_500, `${count.read} were read`);
    const next = await opened(t, port);
    next.write(request('/'));
    await eventually(async () => assert.equal(count.begun, begun + 1));
  });
});

describe('a client that pipelines and reads', () => {
  it('a client that pipelines and reads gets every response, however many requests it sent, and so do others beside it', async (t) => {
    const port = await listening(t, ({ url }, response) => response.end(url));
    const answers = async (requests: number): Promise<number> => {
      const last = 'GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
      const said = await exchangeRaw(port, request('/one').repeat(requests) + last).whole;
      return said.split('HTTP/1.1 200').length - 1;
    };
    const others = Promise.all(Array.from({ length: 24 }, () => answers(99)));
    const sent = await Promise.all([answers(9_999), others]);
    assert.deepEqual(sent.flat(), [10_000, ...Array(24).fill(100)]);
  });
});

describe('a request that invalid bytes follow', () => {
  it('requests that invalid bytes follow in the same packet are answered before the 400', async (t) => {
    const port = await listening(t, ({ url }, response) => {
      setImmediate(() => response.end(`answer to ${url}`));
    });
    const said = await exchangeRaw(port, `${request('/one')}${request('/two')}not HTTP\r\n\r\n`).whole;
    assert.deepEqual(said.match(/HTTP\/1\.1 \d+|answer to \/(?:one|two)/g), [
      'HTTP/1.1 200',
      'answer to /one',
      'HTTP/1.1 200',
      'answer to /two',
      'HTTP/1.1 400',
    ]);
  });
});

describe('the time at which a request was read', () => {
  it('the time at which a pipelined request was read precedes the response that it waited for', async (t) => {
    const readAt: (number | undefined)[] = [];
    let answeredAtMs = 0;
    const answerLater = (response: ServerResponse): void => {
      setImmediate(() => {
        answeredAtMs = performance.now();
        response.end('first');
      });
    };
    const port = await listening(t, (_request, response, readAtMs) => {
      if (readAt.push(readAtMs) === 1) answerLater(response);
      else response.end('second');
    });
    const client = await opened(t, port);
    client.write(request('/first') + request('/second'));
    await eventually(async () => assert.equal(readAt.length, 2));
    const [first = 0, second = 0] = readAt;
    assert.ok(0 < first && first <= second && second < answeredAtMs);
  });
});
