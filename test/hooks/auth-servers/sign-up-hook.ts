import { gateClient } from '../../gate-client.ts';
import { hookCaller, type WireHook } from '../../hook-caller.ts';
import type { StartedApp } from '../../start-app.ts';

/** A hook of a gate that blocks `blocked.example` and disposable addresses, and challenges `challenged.example`. */
export async function createSignUpHook(
  started: StartedApp,
  format: string,
  secret?: string,
): Promise<WireHook & { readonly secret: string }> {
  const gates = gateClient(started);
  const { id } = await gates.createGate({ name: 'Sign-up', preset: 'signup' });
  const rule = (name: string, action: string, message: string | null) => ({
    name,
    action,
    message,
    stop: true,
    position: 0,
    conditions: [{ field: 'domain.name', operator: 'equals', value: `${name}.example` }],
  });
  await gates.addRule(id, rule('blocked', 'block', 'Please use the address of your company.'));
  await gates.addRule(id, rule('challenged', 'challenge', null));
  const hook = { name: format, gate_id: id, format, ...(secret === undefined ? {} : { secret }) };
  return hookCaller(started, started.keys.production).create(hook);
}
