import type { ServerResponse } from 'node:http';

interface Ending {
  readonly response: ServerResponse;
  readonly body: string | Buffer;
}

let waiting: Ending[] = [];

/**
 * Ends an answer as soon as everything is done that is due in this moment, so that answers made together are handed to the
 * kernel together: see `createCohorts`.
 */
export function endTogether(response: ServerResponse, body: string | Buffer): void {
  if (waiting.push({ response, body }) === 1) process.nextTick(endAll);
}

function endAll(): void {
  const all = waiting;
  waiting = [];
  for (const { response, body } of all) response.end(body);
}
