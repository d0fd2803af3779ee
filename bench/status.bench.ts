import type { Row } from './row.ts';
import { compareWithBareServer } from './server-under-load.ts';

export const name = 'status';

/** `GET /status`: key, throughput and serialiser, and nothing of the signals. */
export function run(): Promise<Row[]> {
  return compareWithBareServer('GET /status', { method: 'GET', path: '/status' });
}
