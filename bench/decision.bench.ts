import type { Row } from './row.ts';
import { sampleRules } from './rule-sample.ts';
import { compareWithBareServer, type PrepareRequest } from './server-under-load.ts';

export const name = 'decision';

/** A warm decision of a gate with 20 rules of 3 conditions, throughput, credits and the log on. */
export function run(): Promise<Row[]> {
  return compareWithBareServer('POST /v1 decision, 20 rules', gateWithRules, '≥ 0.65');
}

const gateWithRules: PrepareRequest = async ({ url, key }) => {
  const post = async (path: string, body: object): Promise<{ data: { id: string } }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { data: { id: string } };
  };
  const gate = await post('/v1/gates', { name: 'Bench', preset: 'none' });
  for (const rule of sampleRules) await post(`/v1/gates/${gate.data.id}/rules`, rule);
  return {
    method: 'POST',
    path: `/v1/gates/${gate.data.id}/decisions`,
    body: JSON.stringify({ email: 'jane.doe@example.com' }),
  };
};
