import { paced } from './pace.ts';
import type { Row } from './row.ts';
import type { BenchRequest } from './server-process.ts';
import { compareRequests } from './server-under-load.ts';

export const name = 'custom-lists';

const entries = paced(100_000, 10_000);
const batchSize = 1_000;

/** Decisions of gates with rules on custom lists, against a gate with one plain rule. */
export async function run(): Promise<Row[]> {
  return compareRequests(async ({ url, key }) => {
    const post = async (path: string, sent: object): Promise<{ data: { id: string } }> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(sent) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { data: { id: string } };
    };
    const listOf = async (title: string, count: number): Promise<string> => {
      const { id } = (await post('/v1/lists', { name: title, kind: 'email' })).data;
      for (let start = 0; start < count; start += batchSize) {
        const length = Math.min(batchSize, count - start);
        const values = Array.from({ length }, (_, index) => ({ value: `${title}-${start + index}@example.com` }));
        await post(`/v1/lists/${id}/entries`, { entries: values });
      }
      return id;
    };
    const decisionBy = async (...conditions: readonly object[]): Promise<BenchRequest> => {
      const rules = conditions.map((condition, index) => ({
        name: `Rule ${index}`,
        action: 'block',
        conditions: [{ field: 'email.address', ...condition }],
      }));
      const { id } = (await post('/v1/gates', { name: 'Bench', rules })).data;
      const body = JSON.stringify({ email: 'user-{n}@seen-{seen}.com' });
      return { method: 'POST', path: `/v1/gates/${id}/decisions`, body };
    };
    const on = (list: string) => ({ operator: 'in_list', value: list });
    const long: string[] = [];
    for (let index = 0; index < 10; index += 1) long.push(await listOf(`long-${index}`, entries));
    const count = entries.toLocaleString('en');
    return {
      'POST /v1 decision, one plain rule': await decisionBy({ operator: 'equals', value: 'jane@example.com' }),
      'a rule on a list of 10': await decisionBy(on(await listOf('short', 10))),
      [`a rule on a list of ${count}`]: await decisionBy(on(long[0] ?? '')),
      [`ten rules on ten lists of ${count}`]: await decisionBy(...long.map(on)),
    };
  }, '≤ 1.05');
}
