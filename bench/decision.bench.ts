import { redisUrl } from '../test/services.ts';
import { type BenchEngine, onEachEngine } from './each-engine.ts';
import type { Row } from './row.ts';
import { sampleRules } from './rule-sample.ts';
import type { PrepareRequest } from './server-process.ts';
import { compareWithBareServer } from './server-under-load.ts';

export const name = 'decision';

const what = 'POST /v1 decision, 20 rules';

/** Decisions of a gate with 20 rules of 3 conditions, throughput, credits, traffic counts and the log on. */
export async function run(): Promise<Row[]> {
  const different = { email: 'user-{n}@seen-{seen}.com', ip: '{ip}' };
  const unseen = { email: 'user-{n}@new-{n}.com', ip: '{ip}' };
  return [
    ...(await onEachEngine((engine) => oneAddress(engine, what))),
    ...(await onEachEngine(async (engine) => oneAddress(engine, `${what}, Redis`, { REDIS_URL: await redisUrl() }))),
    ...(await compareWithBareServer(`${what}, all different`, decisionOf(different), '≥ 0.28')),
    ...(await compareWithBareServer(`${what}, all different and new`, decisionOf(unseen), '≥ 0.15')),
  ];
}

async function oneAddress({ name, fresh }: BenchEngine, row: string, settings?: NodeJS.ProcessEnv): Promise<Row[]> {
  const { url } = await fresh();
  return compareWithBareServer(`${name}: ${row}`, decisionOf({ email: 'jane.doe@example.com' }), '≥ 0.48', {
    ...(url === null ? {} : { DATABASE_URL: url }),
    ...settings,
  });
}

/** Creates a gate of 20 rules and a decision request for it. */
export const decisionOf =
  (body: object): PrepareRequest =>
  async ({ url, key }) => {
    const post = async (path: string, sent: object): Promise<{ data: { id: string } }> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(sent) });
      if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { data: { id: string } };
    };
    const gate = await post('/v1/gates', { name: 'Bench', preset: 'none' });
    for (const rule of sampleRules) await post(`/v1/gates/${gate.data.id}/rules`, rule);
    return {
      method: 'POST',
      path: `/v1/gates/${gate.data.id}/decisions`,
      body: JSON.stringify(body),
    };
  };
