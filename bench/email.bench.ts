import type { Row } from './row.ts';
import { compareWithBareServer } from './server-under-load.ts';

export const name = 'email';

/** A warm `GET /email` with a Pro key, throughput and credits on. */
export function run(): Promise<Row[]> {
  return compareWithBareServer('GET /email', { method: 'GET', path: '/email/jane.doe@example.com' }, '≥ 0.66');
}
