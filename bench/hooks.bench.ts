import type { ChildProcess } from 'node:child_process';
import { temporaryDirectory } from '../test/engines.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { reportOf, requestText, sendLoad, startGenerator, startService, stop } from './server-process.ts';

export const name = 'hooks';

const connections = 8;
const load = { durationMs: 0, minAnswers: paced(40_000, 5_000) };
/** The size of a sign-up that an auth server sends. */
const body = JSON.stringify({ email: 'jane@example.com', filling: 'x'.repeat(500) });

/** The processor time of hook calls that are rejected, HTTP included; `/healthz` is the floor. */
export async function run(): Promise<Row[]> {
  const children: ChildProcess[] = [];
  try {
    const { child, port, key } = await startService({ directory: temporaryDirectory() }, children);
    const generator = startGenerator(children);
    const create = async (path: string, sent: object): Promise<string> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(sent),
      });
      return ((await answer.json()) as { data: { id: string } }).data.id;
    };
    const gate_id = await create('/v1/gates', { name: 'Bench' });
    const hook = await create('/v1/hooks', { name: 'Bench', gate_id, format: 'generic' });
    const signedHook = await create('/v1/hooks', { name: 'Bench', gate_id, format: 'supabase' });
    const costUs = async (request: string): Promise<number> => {
      await sendLoad(generator, { port, request, connections, ...load }, { mayFail: true });
      const before = await reportOf(child);
      const { answers } = await sendLoad(generator, { port, request, connections, ...load }, { mayFail: true });
      return (1e6 * ((await reportOf(child)).cpuSeconds - before.cpuSeconds)) / answers;
    };
    const wrong = requestText(
      { method: 'POST', path: `/hooks/${hook}`, body },
      'wrong-secret-of-a-stranger-0123456789',
    );
    const signature = [
      'webhook-id: message',
      `webhook-timestamp: ${Math.floor(Date.now() / 1_000)}`,
      `webhook-signature: v1,${Buffer.alloc(32).toString('base64')}`,
    ].join('\r\n');
    const wronglySigned = wrong.replace(hook, signedHook).replace(/^Authorization: .*$/m, signature);
    return [
      { what: 'GET /healthz', value: await costUs(requestText({ method: 'GET', path: '/healthz' }, key)), unit: 'µs' },
      { what: 'POST /hooks/{hook_id} with a wrong secret', value: await costUs(wrong), unit: 'µs', goal: '≤ 60 µs' },
      {
        what: 'POST /hooks/{hook_id} with a wrong signature',
        value: await costUs(wronglySigned),
        unit: 'µs',
        goal: '≤ 60 µs',
      },
    ];
  } finally {
    await Promise.all(children.map(stop));
  }
}
