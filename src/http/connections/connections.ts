import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { http } from '../../node-http.ts';
import { continueWhenRead, discardRest } from '../request-body.ts';
import { readClock } from '../timing/stage-times.ts';
import { answerClientError, refuse, violatesHttp } from './client-error.ts';
import { type Activity, checkEveryMs, isFlushed, isIdleTooLong, isReadingSlowly } from './idle.ts';
import { stopListening } from './last-connections.ts';
import { stopParsing } from './node-internals.ts';
import { createRequestQueue } from './request-queue.ts';

const serverOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node's timer would be reset with every request; `disconnectIdle` replaces it.
  keepAliveTimeout: 0,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false,
  // A request without a body needs no stream.
  optimizeEmptyRequests: true,
};
/** Pipelined requests of all connections that wait for the response before theirs; past it the connection with the most is closed. */
const maxWaiting = 10_000;
/**
 * When so many wait, each connection that adds more than a few closes one: first one whose client does not read, else itself. Those with
 * many waiting requests stay, because Node creates an error with a stack trace for each of them when it closes.
 */
const manyWaiting = 5_000;
const fewWaiting = 4;
/** Requests that run in one iteration of the event loop. */
const perIteration = 32;
/** A stopping server closes connections without a complete request after the first, all others after the second. */
const unusedGraceMs = 500;
const stopGraceMs = 6_000;

interface Connection extends Activity {
  /** Pipelined requests that wait until the client has read the responses before theirs. */
  waiting: number;
  /** Reading stops when the bytes that arrived are parsed. */
  isStopping: boolean;
  /** The response to the request that was read last. */
  latest: ServerResponse | null;
}

/** Answers a request whose head was parsed at `readAtMs` of the monotonic clock. */
export type Serve = (request: IncomingMessage, response: ServerResponse, readAtMs?: number) => void;

/** Bounds the cost of a client before its request is read. */
export interface Connections {
  listen(serve: Serve): Server;
  /** Accepts no more connections, then closes those that would delay the stop. */
  stop(onStopped: () => void): void;
}

/** The open connections, and the pipelined requests that wait on them. */
function openConnections(enqueue: (start: () => void) => void) {
  const open = new Map<Socket, Connection>();
  let waiting = 0;

  const forget = (socket: Socket): void => {
    waiting -= open.get(socket)?.waiting ?? 0;
    open.delete(socket);
  };
  const disconnect = (socket: Socket): void => {
    forget(socket);
    stopParsing(socket);
    socket.destroy();
  };

  /** Node resumes a socket after each request that it parsed, so pausing has to wait for the last one. */
  const stopReading = (connection: Connection, socket: Socket): void => {
    if (connection.isStopping) return;
    connection.isStopping = true;
    process.nextTick(() => {
      connection.isStopping = false;
      if (connection.waiting > 0) socket.pause();
    });
  };

  const startAfter = (previous: ServerResponse, connection: Connection, socket: Socket, start: () => void): void => {
    connection.waiting += 1;
    waiting += 1;
    stopReading(connection, socket);
    if (waiting > manyWaiting && connection.waiting === fewWaiting + 1) disconnect(notReading(open) ?? socket);
    else if (waiting > maxWaiting) disconnect(withMostWaiting(open));
    previous.once('finish', () =>
      enqueue(() => {
        if (socket.destroyed) return;
        connection.waiting -= 1;
        waiting -= 1;
        if (connection.waiting === 0) socket.resume();
        start();
      }),
    );
  };

  const track = (socket: Socket): void => {
    open.set(socket, { waiting: 0, isStopping: false, latest: null, response: null, idle: null });
    socket.once('close', () => forget(socket));
  };

  const disconnectAll = (isDue: (connection: Connection, socket: Socket) => boolean): void => {
    for (const [socket, connection] of open) if (isDue(connection, socket)) disconnect(socket);
  };

  return { open, track, startAfter, disconnect, disconnectAll };
}

/**
 * A client that pipelines requests is answered one at a time: the next request starts when the response before it was flushed.
 * So a client that does not read costs one response, not thousands.
 */
export function createConnections(now: () => number): Connections {
  const enqueue = createRequestQueue(perIteration, readClock);
  const { open, track, startAfter, disconnect, disconnectAll } = openConnections(enqueue);
  let server: Server | null = null;
  /** Requests that arrived while the last connections are accepted; null when requests are served immediately. */
  let postponed: (() => void)[] | null = null;

  const start = (
    serve: Serve,
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    readAtMs: number,
  ) => {
    // The client may have disconnected while its request was queued.
    if (request.socket.destroyed) return;
    connection.response = response;
    if (!request.complete) response.prependListener('finish', discardRest);
    if (violatesHttp(request)) refuse(response, 400, now);
    else serve(request, response, readAtMs);
  };

  const receive = (serve: Serve) => (request: IncomingMessage, response: ServerResponse) => {
    const readAtMs = performance.now();
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined) return;
    const { latest } = connection;
    connection.latest = response;
    const startNow = (): void => start(serve, connection, request, response, readAtMs);
    if (latest !== null && !latest.writableFinished) startAfter(latest, connection, socket, startNow);
    else if (postponed !== null) postponed.push(startNow);
    // No other connection can have sent a request together with it. One with a body waits all the same: its body has arrived by then.
    else if (open.size === 1 && request.method === 'GET') process.nextTick(startNow);
    else enqueue(startNow);
  };

  const disconnectIdle = (): void => {
    const nowMs = performance.now();
    disconnectAll((connection, socket) => isIdleTooLong(socket, connection, nowMs));
  };

  return {
    listen(serve) {
      server = http.createServer(serverOptions);
      server.once('listening', () => {
        const checks = setInterval(disconnectIdle, checkEveryMs).unref();
        server?.once('close', () => clearInterval(checks));
      });
      server.on('connection', track);
      server.on('request', receive(serve));
      const serveExpecting: Serve = (request, response, readAtMs) => {
        continueWhenRead(request, response);
        serve(request, response, readAtMs);
      };
      server.on('checkContinue', receive(serveExpecting));
      server.on(
        'checkExpectation',
        receive((_request, response) => refuse(response, 417, now)),
      );
      server.on('clientError', (error, socket: Socket) => {
        const { response = null, latest = null } = open.get(socket) ?? {};
        const answer = (): void => answerClientError(error, socket, now);
        // The rest of a body is malformed, and its request was answered already.
        if (response?.headersSent === true && !response.req.complete) socket.destroy();
        // Valid requests before the invalid bytes are answered first: their credits are charged.
        else if (latest?.req.complete === true && !latest.writableFinished) latest.once('finish', answer);
        else answer();
      });
      server.on('timeout', (socket: Socket) => {
        const connection = open.get(socket);
        if (connection !== undefined && isReadingSlowly(connection, socket)) disconnect(socket);
      });
      return server;
    },
    stop(onStopped) {
      const finish = (): void => {
        const requests = postponed ?? [];
        postponed = null;
        for (const startNow of requests) startNow();
        setTimeout(() => disconnectAll(isUnused), unusedGraceMs).unref();
        setTimeout(() => disconnectAll(() => true), stopGraceMs).unref();
        onStopped();
      };
      if (server?.listening !== true) finish();
      else {
        // An answered client may connect again, so responses wait until the port is closed.
        postponed = [];
        stopListening(server, finish);
      }
    },
  };
}

function isUnused({ response }: Connection, socket: Socket): boolean {
  return response === null || isFlushed(response, socket);
}

/** A connection with more than a few waiting requests whose client has not read the response before them. */
function notReading(open: ReadonlyMap<Socket, Connection>): Socket | undefined {
  const isHog = ([socket, connection]: readonly [Socket, Connection]): boolean =>
    connection.waiting > fewWaiting && isReadingSlowly(connection, socket);
  return [...open].find(isHog)?.[0];
}

/** The connection with the most waiting requests; there must be one. */
function withMostWaiting(open: ReadonlyMap<Socket, Connection>): Socket {
  const [[socket]] = [...open].sort(([, a], [, b]) => b.waiting - a.waiting) as [[Socket, Connection]];
  return socket;
}
