import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { decisionOf } from './decision.bench.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { underLoad } from './server-under-load.ts';

export const name = 'beside';

const lookups = paced(5_000, 200);

/** The wall-clock time of lookups while other clients make as many logged decisions as the service can handle. */
export async function run(): Promise<Row[]> {
  const different = decisionOf({ email: 'user-{n}@seen-{seen}.com', ip: '{ip}' });
  const tookMs = await underLoad(different, async ({ port, key }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const took: number[] = [];
    for (let count = 0; count < lookups; count += 1) {
      const startedMs = performance.now();
      await lookUp(port, key, agent);
      took.push(performance.now() - startedMs);
      await sleep(2);
    }
    agent.destroy();
    return took.sort((one, other) => one - other);
  });
  const share = (part: number): number => tookMs[Math.floor(part * (tookMs.length - 1))] ?? Number.NaN;
  const what = `GET /domain beside decisions, all different, ${lookups.toLocaleString('en')} times`;
  return [
    { what: `${what}: median`, value: share(0.5), unit: 'ms' },
    { what: `${what}: p99`, value: share(0.99), unit: 'ms', goal: '≤ 20 ms' },
    { what: `${what}: longest`, value: share(1), unit: 'ms' },
  ];
}

function lookUp(port: number, key: string, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { authorization: `Bearer ${key}` };
  const asked = request({ port, host: '127.0.0.1', path: '/domain/example.com', headers, agent }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`a lookup was answered with ${answer.statusCode}`));
    answer.resume().on('end', resolve);
  });
  asked.on('error', reject).end();
  return promise;
}
