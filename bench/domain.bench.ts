import { type BenchEngine, onPostgres } from './each-engine.ts';
import type { Row } from './row.ts';
import { compareWithBareServer } from './server-under-load.ts';

export const name = 'domain';

const allNew = { method: 'GET', path: '/domain/new-{n}.com' } as const;

/** `GET /domain` with a Pro key, throughput and credits on: one domain repeatedly, and every domain new (no DNS). */
export async function run(): Promise<Row[]> {
  return [
    ...(await compareWithBareServer('GET /domain', { method: 'GET', path: '/domain/example.com' }, '≥ 0.72')),
    ...(await compareWithBareServer('GET /domain, all new', allNew, '≥ 0.30')),
    ...(await onPostgres(newDomains)),
  ];
}

async function newDomains({ name, fresh }: BenchEngine): Promise<Row[]> {
  const { url } = await fresh();
  return compareWithBareServer(`${name}: GET /domain, all new`, allNew, '≥ 0.30', { DATABASE_URL: url ?? '' });
}
