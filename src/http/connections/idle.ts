import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may rest between two requests; clients are told so in whole seconds. */
const restMs = 72_000;
export const keepAliveHint = `timeout=${restMs / 1_000}`;
/** The client counts from the moment when it has its answer: it must be the first to let go. */
const restGraceMs = 1_000;
/** A client that takes nothing of its answer for so long is cut off; Node looks twice, so it may take double. */
const stallMs = 7_000;
/** How often connections are looked at. */
export const lookMs = 2_000;

/** What idleness is told by. */
export interface Used {
  /** The last answer that was begun. */
  response: ServerResponse | null;
  /** Since when nothing was asked or answered, as far as was seen; null while something is under way. */
  rest: Rest | null;
}

interface Rest {
  readonly sinceMs: number;
  readonly response: ServerResponse;
  readonly bytesRead: number;
}

/**
 * Whether a connection has rested for too long. Looked at now and then, in place of the two timers that Node would move with
 * every request: without them a warm lookup takes a tenth less processor time. Only a client that is slow to take its answer
 * gets a timer.
 */
export function hasRested(socket: Socket, connection: Used, nowMs: number): boolean {
  const { response, rest } = connection;
  limitStall(socket, holdsAnswer(connection, socket) ? stallMs : 0);
  if (response === null || !isTaken(response, socket)) {
    connection.rest = null;
    return false;
  }
  const { bytesRead } = socket;
  if (rest?.response === response && rest.bytesRead === bytesRead) return nowMs - rest.sinceMs > restMs + restGraceMs;
  connection.rest = { sinceMs: nowMs, response, bytesRead };
  return false;
}

/** Whether a client has not taken all of its answer. Time that we take for an answer is not the client's fault. */
export function holdsAnswer({ response }: Used, socket: Socket): boolean {
  return response?.writableEnded === true && socket.writableLength > 0;
}

/** Whether the kernel has all of an answer. */
export function isTaken(response: ServerResponse, socket: Socket): boolean {
  return response.writableEnded && socket.writableLength === 0;
}

function limitStall(socket: Socket, limitMs: number): void {
  if ((socket.timeout ?? 0) !== limitMs) socket.setTimeout(limitMs);
}
