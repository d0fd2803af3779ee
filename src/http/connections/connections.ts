import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { http } from '../../node-http.ts';
import { carriesBody, continueWhenRead, discardRest } from '../request-body.ts';
import { answerClientError, refuse } from './client-error.ts';
import { createCohorts } from './cohort.ts';
import { hasRested, holdsAnswer, isTaken, lookMs, type Used } from './idle.ts';
import { stopListening } from './last-connections.ts';
import { createRounds } from './rounds.ts';

const maxHeaderBytes = 16_384;
/** Requests of all connections that wait for the answer before theirs; past it the connection with the most is cut off. */
const maxWaiting = 5_000;
/** When so many wait, whoever sends more than a few without waiting for answers is cut off: reading them all takes time too. */
const manyWaiting = 2_000;
const fewAhead = 4;
/** Requests that are begun in a row; of one client that sends many, in one round, so that those of others come in between. */
const begunInRow = 32;
/** A stopping server lets go of connections without a whole request after the first, of all others after the second. */
const unusedGraceMs = 500;
const stopGraceMs = 6_000;

interface Connection extends Used {
  /** Pipelined requests that wait until the answers before theirs are taken. */
  waiting: number;
}

/** Answers a request whose head was parsed at `readAtMs` of the monotonic clock. */
export type Serve = (request: IncomingMessage, response: ServerResponse, readAtMs?: number) => void;

/** The server's side of its connections: what a client may ask of the process before anybody has looked at its request. */
export interface Connections {
  listen(serve: Serve): Server;
  /** Takes no more connections, and then lets those that are of no use any more not hold up the stop. */
  stop(onStopped: () => void): void;
}

/**
 * A client that sends requests without waiting for answers is answered one at a time: the next request is begun when
 * the answer before it has left the process. So a client that does not read costs one answer, not thousands.
 */
export function createConnections(now: () => number): Connections {
  const open = new Map<Socket, Connection>();
  const inRounds = createRounds(begunInRow);
  const inCohort = createCohorts(begunInRow);
  let server: Server | null = null;
  let waiting = 0;
  /** Requests that came while the last connections are taken; null when they are served at once. */
  let postponed: (() => void)[] | null = null;

  const forget = (socket: Socket): void => {
    waiting -= open.get(socket)?.waiting ?? 0;
    open.delete(socket);
  };
  const cut = (socket: Socket): void => {
    forget(socket);
    stopParsing(socket);
    socket.destroy();
  };

  const begin = (
    serve: Serve,
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    readAtMs: number,
  ) => {
    // Its client may have gone while it waited for others.
    if (request.socket.destroyed) return;
    connection.response = response;
    if (carriesBody(request)) response.prependListener('finish', discardRest);
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(response, 400, now);
    else serve(request, response, readAtMs);
  };

  const hold = (connection: Connection, socket: Socket, response: ServerResponse, resume: () => void): void => {
    if (connection.waiting === 0) closeWithoutTraces(socket);
    connection.waiting += 1;
    waiting += 1;
    socket.pause();
    if (waiting > manyWaiting && connection.waiting > fewAhead) cut(socket);
    else if (waiting > maxWaiting) cut(greediest(open));
    response.once('socket', () =>
      inRounds(() => {
        if (socket.destroyed) return;
        connection.waiting -= 1;
        waiting -= 1;
        if (connection.waiting === 0) socket.resume();
        resume();
      }),
    );
  };

  const admit = (serve: Serve) => (request: IncomingMessage, response: ServerResponse) => {
    const readAtMs = performance.now();
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined) return;
    const beginNow = (): void => begin(serve, connection, request, response, readAtMs);
    // Node gives a response its socket when the one before has gone out.
    if (response.socket === null) hold(connection, socket, response, beginNow);
    else if (postponed === null) inCohort(beginNow);
    else postponed.push(beginNow);
  };

  const watch = (socket: Socket): void => {
    open.set(socket, { waiting: 0, response: null, rest: null });
    socket.once('close', () => forget(socket));
  };

  const cutAll = (isDue: (connection: Connection, socket: Socket) => boolean): void => {
    for (const [socket, connection] of open) if (isDue(connection, socket)) cut(socket);
  };

  const lookForIdle = (): void => {
    const nowMs = performance.now();
    cutAll((connection, socket) => hasRested(socket, connection, nowMs));
  };

  return {
    listen(serve) {
      server = http.createServer({
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: 10_000,
        requestTimeout: 30_000,
        // It would move a timer with every request; connections that rest are looked for instead.
        keepAliveTimeout: 0,
        connectionsCheckingInterval: 5_000,
        requireHostHeader: false,
        // A request without a body needs no stream.
        optimizeEmptyRequests: true,
      });
      server.once('listening', () => {
        const looks = setInterval(lookForIdle, lookMs).unref();
        server?.once('close', () => clearInterval(looks));
      });
      server.on('connection', watch);
      server.on('request', admit(serve));
      const serveExpecting: Serve = (request, response, readAtMs) => {
        continueWhenRead(request, response);
        serve(request, response, readAtMs);
      };
      server.on('checkContinue', admit(serveExpecting));
      server.on(
        'checkExpectation',
        admit((_request, response) => refuse(response, 417, now)),
      );
      server.on('clientError', (error, socket: Socket) => {
        const response = open.get(socket)?.response;
        // What is broken is the rest of a body that has had its answer.
        if (response?.headersSent === true && !response.req.complete) socket.destroy();
        else answerClientError(error, socket, now);
      });
      server.on('timeout', (socket: Socket) => {
        const connection = open.get(socket);
        if (connection !== undefined && holdsAnswer(connection, socket)) cut(socket);
      });
      return server;
    },
    stop(onStopped) {
      const letGo = (): void => {
        const requests = postponed ?? [];
        postponed = null;
        for (const serve of requests) serve();
        setTimeout(() => cutAll(isUnused), unusedGraceMs).unref();
        setTimeout(() => cutAll(() => true), stopGraceMs).unref();
        onStopped();
      };
      if (server?.listening !== true) letGo();
      else {
        // A client that has its answer connects again: for this moment nobody gets one.
        postponed = [];
        stopListening(server, letGo);
      }
    },
  };
}

/**
 * Node makes two errors for each request that waits when its connection closes, and nobody reads where they were made: finding
 * that out takes nine tenths of the time.
 */
function closeWithoutTraces(socket: Socket): void {
  const { stackTraceLimit } = Error;
  if (socket.listeners('close')[0] === leaveOutTraces) return;
  socket.prependListener('close', leaveOutTraces);
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
}

function leaveOutTraces(): void {
  Error.stackTraceLimit = 0;
}

/** Node's parser would make requests of all that has arrived. An answer of 2 tells it that what follows is not HTTP. */
function stopParsing(socket: Socket & { parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
}

function isUnused({ response }: Connection, socket: Socket): boolean {
  return response === null || isTaken(response, socket);
}

/** The connection with the most requests that wait; there is at least one when there are any. */
function greediest(open: ReadonlyMap<Socket, Connection>): Socket {
  const [[socket]] = [...open].sort(([, a], [, b]) => b.waiting - a.waiting) as [[Socket, Connection]];
  return socket;
}
