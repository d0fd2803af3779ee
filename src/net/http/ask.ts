import type { Agent, IncomingMessage } from 'node:http';
import https from 'node:https';
import { http } from '../../node-http.ts';
import { type OutboundGuard, originOf } from './outbound-guard.ts';

/** Connections that are kept for the next request. */
export type Agents = Readonly<{ 'http:': Agent; 'https:': https.Agent }>;

/** How requests leave the service: to addresses that the guard allows; without agents, each on a new connection. */
export interface Outbound {
  readonly guard: OutboundGuard;
  readonly agents: Agents | null;
}

/** The request: a GET unless there is a body to post. */
export interface Question {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const maxHeaderBytes = 16 * 1024;

/** One request on a guarded connection. */
export function ask(
  { guard, agents }: Outbound,
  target: URL,
  question: Question,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { headers, body } = question;
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const origin = originOf(target);
  guard.checkHost(hostname, origin);
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    hostname,
    port: target.port,
    path: `${target.pathname}${target.search}`,
    headers,
    lookup: guard.lookup(origin),
    maxHeaderSize: maxHeaderBytes,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request =
      target.protocol === 'https:'
        ? https.request({ ...options, agent: agents?.['https:'] ?? false })
        : http.request({ ...options, agent: agents?.['http:'] ?? false });
    let answered = false;
    request.on('response', (message) => {
      answered = true;
      resolve(message);
    });
    // The listener stays: an error after the response has begun also reaches the body's reader, who reports it.
    request.on('error', (error) => {
      // The server may close an idle connection just as it is reused: retry on a new one. What was posted may
      // have been received; whether it is sent twice is the caller's decision.
      const stale = request.reusedSocket && body === undefined && !answered && !signal.aborted;
      if (stale) resolve(ask({ guard, agents: null }, target, question, signal));
      else reject(error);
    });
    request.on('close', () => reject(new Error('The connection was closed without a response')));
    request.end(body);
  });
}
