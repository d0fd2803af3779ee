import type { Row } from './row.ts';
import { compareWithBareServer } from './server-under-load.ts';

export const name = 'domain';

/** `GET /domain` with a Pro key, throughput and credits on: one domain again and again, and every domain new (no DNS). */
export async function run(): Promise<Row[]> {
  return [
    ...(await compareWithBareServer('GET /domain', { method: 'GET', path: '/domain/example.com' }, '≥ 0.72')),
    ...(await compareWithBareServer('GET /domain, all new', { method: 'GET', path: '/domain/new-{n}.com' }, '≥ 0.30')),
  ];
}
