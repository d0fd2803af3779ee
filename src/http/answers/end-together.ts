import type { Exchange } from '../exchange.ts';
import { readClock } from '../timing/stage-times.ts';

interface Ending {
  readonly exchange: Exchange;
  readonly body: string | Buffer;
}

let waiting: Ending[] = [];

/**
 * Ends a response after the current work of the event loop, so that the kernel gets responses made together together: see
 * `createCohorts`.
 */
export function endTogether(exchange: Exchange, body: string | Buffer): void {
  if (waiting.push({ exchange, body }) === 1) process.nextTick(endAll);
}

function endAll(): void {
  const all = waiting;
  waiting = [];
  for (const { exchange, body } of all) exchange.response.end(body);
  const nowMs = readClock();
  for (const { exchange } of all) exchange.answered(nowMs);
}
