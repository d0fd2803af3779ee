import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startApp } from '../start-app.ts';
import type { Exchange } from './auth-servers/recording-proxy.ts';
import { createSignUpHook } from './auth-servers/sign-up-hook.ts';

interface Recording {
  readonly secret: string;
  readonly exchanges: readonly Pick<Exchange, 'request' | 'response'>[];
}

/** When a call was answered, as far as the exchange contains it. */
function timeOf({ request, response }: Recording['exchanges'][number]): number | undefined {
  const seconds = request.headers['webhook-timestamp'];
  if (seconds !== undefined) return Number(seconds) * 1_000;
  return (JSON.parse(response.body) as { payload?: { timestamp: number } }).payload?.timestamp;
}

describe('exchanges recorded with real auth servers', () => {
  for (const format of ['supabase', 'kratos', 'workos']) {
    it(`the calls of ${format} are answered as when its sign-ups were allowed and blocked [H1]`, async () => {
      const file = join(import.meta.dirname, 'recorded', `${format}.json`);
      const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
      const started = await startApp();
      const hook = await createSignUpHook(started, format, recording.secret);
      assert.ok(recording.exchanges.length >= 6);
      for (const exchange of recording.exchanges) {
        const { request, response } = exchange;
        started.clock.set(timeOf(exchange) ?? Date.now());
        const { status, headers, text } = await started.request('POST', `/hooks/${hook.id}`, request);
        assert.deepEqual({ status, type: headers['content-type'] ?? null, body: text }, response, request.body);
      }
      const changed = { ...recording.exchanges[0]?.request, body: '{"email":"other@example.com"}' };
      const answer = await started.request('POST', `/hooks/${hook.id}`, changed);
      assert.equal(answer.status, format === 'kratos' ? 200 : 401);
      await started.close();
    });
  }
});
