import type { Row } from './row.ts';
import { compareWithBareServer } from './server-under-load.ts';

export const name = 'domain';

/** A warm `GET /domain` with a Pro key, throughput and credits on. */
export function run(): Promise<Row[]> {
  return compareWithBareServer('GET /domain', { method: 'GET', path: '/domain/example.com' }, '≥ 0.80');
}
