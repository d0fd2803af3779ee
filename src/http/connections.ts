import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerClientError, refuse } from './client-error.ts';
import { carriesBody, continueWhenRead, discardRest } from './request-body.ts';

const maxHeaderBytes = 16_384;
/** A client that takes nothing of its answer for so long is cut off; Node looks twice, so it may take double. */
const stallMs = 8_000;
/** Requests of all connections that wait for the answer before theirs; past it the connection with the most is cut off. */
const maxWaiting = 5_000;
/** A stopping server lets go of connections without a whole request after the first, of all others after the second. */
const unusedGraceMs = 500;
const stopGraceMs = 6_000;

interface Connection {
  /** Pipelined requests that wait until the answers before theirs are taken. */
  waiting: number;
  /** The last answer that was begun. */
  response: ServerResponse | null;
}

/** The server's side of its connections: what a client may ask of the process before anybody has looked at its request. */
export interface Connections {
  listen(serve: RequestListener): Server;
  /** Answers what never became a request. */
  answerClientError(error: Error & { code?: string }, socket: Socket): void;
  /** Called once no more connections are taken: those that are of no use any more do not hold up the stop. */
  letGo(): void;
}

/**
 * A client that sends requests without waiting for answers is answered one at a time: the next request is begun when
 * the answer before it has left the process. So a client that does not read costs one answer, not thousands.
 */
export function createConnections(now: () => number): Connections {
  const open = new Map<Socket, Connection>();
  let waiting = 0;

  const forget = (socket: Socket): void => {
    waiting -= open.get(socket)?.waiting ?? 0;
    open.delete(socket);
  };
  const cut = (socket: Socket): void => {
    forget(socket);
    socket.destroy();
  };

  const begin = (
    serve: RequestListener,
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    connection.response = response;
    if (carriesBody(request)) response.prependListener('finish', discardRest);
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(response, 400, now);
    else serve(request, response);
  };

  const hold = (connection: Connection, socket: Socket, response: ServerResponse, resume: () => void): void => {
    connection.waiting += 1;
    waiting += 1;
    socket.pause();
    if (waiting > maxWaiting) cut(greediest(open));
    response.once('socket', () => {
      if (socket.destroyed) return;
      connection.waiting -= 1;
      waiting -= 1;
      if (connection.waiting === 0) socket.resume();
      // Node is about to flush the response; it must not be written to before.
      process.nextTick(resume);
    });
  };

  const admit = (serve: RequestListener) => (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined) return;
    // Node gives a response its socket when the one before has gone out.
    if (response.socket !== null) begin(serve, connection, request, response);
    else hold(connection, socket, response, () => begin(serve, connection, request, response));
  };

  const watch = (socket: Socket): void => {
    open.set(socket, { waiting: 0, response: null });
    socket.once('close', () => forget(socket));
  };

  return {
    listen(serve) {
      const server = createServer({
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: 10_000,
        requestTimeout: 30_000,
        keepAliveTimeout: 72_000,
        connectionsCheckingInterval: 5_000,
        requireHostHeader: false,
        // A request without a body needs no stream.
        optimizeEmptyRequests: true,
      });
      server.timeout = stallMs;
      server.on('connection', watch);
      server.on('request', admit(serve));
      const serveExpecting: RequestListener = (request, response) => {
        continueWhenRead(request, response);
        serve(request, response);
      };
      server.on('checkContinue', admit(serveExpecting));
      server.on(
        'checkExpectation',
        admit((_request, response) => refuse(response, 417, now)),
      );
      server.on('timeout', (socket: Socket) => {
        const response = open.get(socket)?.response ?? null;
        // Time that we take for an answer is not the client's fault, and headers have a limit of their own.
        if (response === null || !response.writableEnded) socket.setTimeout(stallMs);
        else cut(socket);
      });
      return server;
    },
    answerClientError(error, socket) {
      const response = open.get(socket)?.response;
      // What is broken is the rest of a body that has had its answer.
      if (response?.headersSent === true && !response.req.complete) socket.destroy();
      else answerClientError(error, socket, now);
    },
    letGo() {
      const cutAll = (isDue: (connection: Connection, socket: Socket) => boolean): void => {
        for (const [socket, connection] of open) if (isDue(connection, socket)) cut(socket);
      };
      setTimeout(() => cutAll(isUnused), unusedGraceMs).unref();
      setTimeout(() => cutAll(() => true), stopGraceMs).unref();
    },
  };
}

function isUnused({ response }: Connection, socket: Socket): boolean {
  return response === null || (response.writableEnded && socket.writableLength === 0);
}

/** The connection with the most requests that wait; there is at least one when there are any. */
function greediest(open: ReadonlyMap<Socket, Connection>): Socket {
  const [[socket]] = [...open].sort(([, a], [, b]) => b.waiting - a.waiting) as [[Socket, Connection]];
  return socket;
}
