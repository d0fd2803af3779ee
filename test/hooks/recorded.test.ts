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

/** The time of the first call, by the auth server's own clock where it sends one. */
function startOf({ exchanges }: Recording): number {
  const seconds = exchanges[0]?.request.headers['webhook-timestamp'];
  return seconds === undefined ? Date.now() : Number(seconds) * 1_000;
}

describe('exchanges recorded with real auth servers', () => {
  for (const format of ['supabase', 'kratos']) {
    it(`the calls of ${format} are answered as when its sign-ups were allowed and blocked [H1]`, async () => {
      const file = join(import.meta.dirname, 'recorded', `${format}.json`);
      const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
      const started = await startApp({}, { nowMs: startOf(recording) });
      const hook = await createSignUpHook(started, format, recording.secret);
      assert.equal(recording.exchanges.length, 6);
      for (const { request, response } of recording.exchanges) {
        const { status, headers, text } = await started.request('POST', `/hooks/${hook.id}`, request);
        assert.deepEqual({ status, type: headers['content-type'] ?? null, body: text }, response, request.body);
      }
      const changed = { ...recording.exchanges[0]?.request, body: '{"email":"other@example.com"}' };
      const answer = await started.request('POST', `/hooks/${hook.id}`, changed);
      assert.equal(answer.status, format === 'supabase' ? 401 : 200);
      await started.close();
    });
  }
});
