import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../test/eventually.ts';
import { gateClient } from '../../test/gate-client.ts';
import { hookCaller } from '../../test/hook-caller.ts';
import { startApp } from '../../test/start-app.ts';
import type { RecordedCall } from './call-recorder.ts';
import { defaultMessage, type Hook } from './hook.ts';
import { createHookCall } from './hook-call.ts';
import type { DecisionLimits, SignUpDecision } from './sign-up-decision.ts';

describe('a call that cannot be decided', () => {
  it('is in the log at most once a minute per hook and reason [H35]', async () => {
    const lines: { readonly msg: string; readonly hook: string; readonly reason: string }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const started = await startApp({}, { log });
    const gates = gateClient(started);
    const { id: gate_id } = await gates.createGate();
    const hooks = hookCaller(started, started.keys.production);
    const one = await hooks.create({ name: 'One', gate_id, format: 'generic' });
    const two = await hooks.create({ name: 'Two', gate_id, format: 'generic' });
    await gates.call('DELETE', `/v1/gates/${gate_id}`);
    const callBoth = async (): Promise<void> => {
      for (const hook of [one, one, two]) await hooks.call(hook, { email: 'jane@example.com' });
    };
    const logged = () =>
      lines.filter(({ msg }) => msg === 'a hook could not decide a sign-up').map(({ hook, reason }) => [hook, reason]);
    const expected = [one, two].map(({ id }) => [id, 'the gate was deleted']);
    await callBoth();
    assert.deepEqual(logged(), expected);
    started.clock.advance(59_000);
    await callBoth();
    assert.deepEqual(logged(), expected);
    started.clock.advance(1_000);
    await callBoth();
    assert.deepEqual(logged(), [...expected, ...expected]);
    await started.close();
  });

  it('is answered in time, and its decision has no effect when it comes later [H36]', async () => {
    const hook: Hook = {
      ...{ id: 'h1', name: 'Late', gateId: 'g1', format: 'generic', enabled: true, message: defaultMessage },
      ...{ owner: { accountId: 'a1', environment: 'production' }, challenge: 'allow', unavailable: 'block' },
      secrets: { current: 'a-secret-of-our-own-0123456789', isSet: true, old: null },
      ...{ lastCallAtMs: null, lastError: null, createdAtMs: 0, updatedAtMs: 0 },
    };
    const decision = Promise.withResolvers<SignUpDecision>();
    const recorded: RecordedCall[] = [];
    const reported: string[] = [];
    let limits: DecisionLimits | undefined;
    const call = createHookCall({
      hooks: { find: () => hook },
      decide(_hook, _question, given) {
        limits = given;
        return decision.promise;
      },
      recorder: { record: (_id, made) => recorded.push(made) },
      onCall: () => {},
      onUndecided: (_hook, reason) => reported.push(reason),
      now: Date.now,
      monotonicMs: () => performance.now(),
    });
    const answered = Promise.resolve(
      call({
        params: { hook_id: hook.id },
        headers: { authorization: `Bearer ${hook.secrets.current}`, 'idempotency-key': 'e1' },
        requestId: 'r1',
        stages: { enter() {}, endWait() {}, report() {} },
        body: () => Buffer.from('{"email": "jane@example.com"}'),
      }),
    );
    await eventually(async () => assert.ok(limits));
    assert.equal(limits?.isLate(), false);
    assert.equal((await answered).status, 403);
    assert.equal(limits?.isLate(), true);
    decision.resolve({ action: 'allow', decisionId: 'd1', message: null });
    await decision.promise;
    const reason = 'no decision within 1.5 seconds';
    assert.deepEqual(recorded, [{ result: 'unavailable', error: reason }]);
    assert.deepEqual(reported, [reason]);
  });
});
