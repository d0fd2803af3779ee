import type { Actor } from '../actor.ts';
import { type Environment, environments } from '../http/endpoint.ts';
import { gateOf } from './gates.ts';
import type { GatesStore } from './gates-store.ts';

/** A gate that the first start created. */
export interface FirstGate {
  readonly environment: Environment;
  readonly id: string;
}

const by: Actor = { kind: 'service', id: 'first start', from: null };

const signUp = { name: 'Sign-up', description: null, defaultAction: 'allow', wait: [], rules: 'signup' } as const;

/** Creates a gate in each environment of the first account, so that the first call can already decide a sign-up. */
export async function createFirstGates(store: GatesStore, accountId: string, nowMs: number): Promise<FirstGate[]> {
  const made = environments.map((environment) => ({ environment, gate: gateOf(signUp, nowMs) }));
  for (const { environment, gate } of made) await store.insertFirst({ accountId, environment, by }, gate);
  return made.map(({ environment, gate }) => ({ environment, id: gate.id }));
}
