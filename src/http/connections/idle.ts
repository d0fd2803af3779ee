import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may be idle between two requests, as the `Keep-Alive` header says in whole seconds. */
const maxIdleMs = 72_000;
export const keepAliveHint = `timeout=${maxIdleMs / 1_000}`;
/** The client counts from the moment when it has its response, and must be the first to close. */
const idleGraceMs = 1_000;
/** A client that reads nothing of its response for so long is disconnected; Node checks twice, so it may take double. */
const stallMs = 7_000;
export const checkEveryMs = 2_000;

/** The last use of a connection. */
export interface Activity {
  /** The response that was started last. */
  response: ServerResponse | null;
  /** Since when the connection is idle, as far as the checks saw; null while a request runs. */
  idle: Idle | null;
}

interface Idle {
  readonly sinceMs: number;
  readonly response: ServerResponse;
  readonly bytesRead: number;
}

/**
 * Whether a connection was idle for too long. Periodic checks replace the two timers that Node would reset with every request:
 * docs/decisions/0030-requests-in-cohorts.md has the gain. Only a client that is slow to read its response gets a timer.
 */
export function isIdleTooLong(socket: Socket, connection: Activity, nowMs: number): boolean {
  const { response, idle } = connection;
  limitStall(socket, isReadingSlowly(connection, socket) ? stallMs : 0);
  if (response === null || !isFlushed(response, socket)) {
    connection.idle = null;
    return false;
  }
  const { bytesRead } = socket;
  if (idle?.response === response && idle.bytesRead === bytesRead) {
    return nowMs - idle.sinceMs > maxIdleMs + idleGraceMs;
  }
  connection.idle = { sinceMs: nowMs, response, bytesRead };
  return false;
}

/** Whether a client has not read all of a complete response. */
export function isReadingSlowly({ response }: Activity, socket: Socket): boolean {
  return response?.writableEnded === true && socket.writableLength > 0;
}

/** Whether the kernel has all of a response. */
export function isFlushed(response: ServerResponse, socket: Socket): boolean {
  return response.writableEnded && socket.writableLength === 0;
}

function limitStall(socket: Socket, limitMs: number): void {
  if ((socket.timeout ?? 0) !== limitMs) socket.setTimeout(limitMs);
}
