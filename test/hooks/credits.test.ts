import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { unavailableMessage } from '../../src/hooks/hook.ts';
import { temporaryDirectory } from '../engines.ts';
import { gateClient } from '../gate-client.ts';
import { hookCaller } from '../hook-caller.ts';
import { startApp } from '../start-app.ts';

for (const unavailable of ['allow', 'block'] as const) {
  it(`a hook of an account without credits answers ${unavailable} when \`unavailable\` says so, and shows the reason [H18]`, async () => {
    const plansFile = join(temporaryDirectory(), 'plans.json');
    const plan = { id: 'self-hosted', name: 'Small', pro: true, credits: 1, rate_limit: 100 };
    writeFileSync(plansFile, JSON.stringify([plan]));
    const started = await startApp({ PLANS_FILE: plansFile });
    try {
      const { id: gate_id } = await gateClient(started).createGate();
      const hooks = hookCaller(started, started.keys.production);
      const hook = await hooks.create({ name: 'Sign-up', gate_id, format: 'generic', unavailable });
      const call = (eventId: string) => hooks.call(hook, { email: 'jane@example.com', eventId });
      assert.equal((await call('first')).status, 200);
      const refused = await call('second');
      assert.equal(refused.status, unavailable === 'allow' ? 200 : 403, refused.text);
      const { allow, action, message } = JSON.parse(refused.text);
      assert.deepEqual([allow, action], [unavailable === 'allow', null]);
      assert.equal(message, unavailable === 'allow' ? null : unavailableMessage);
      started.clock.advance(1_000);
      const { last_error, calls_24h } = await hooks.read(hook.id);
      assert.deepEqual(
        [last_error, calls_24h.allow, calls_24h.unavailable],
        ['the credits of the account are used up', 1, 1],
      );
    } finally {
      await started.close();
    }
  });
}
