import { setTimeout as sleep } from 'node:timers/promises';

/** Where the attack goes. */
export interface AttackTarget {
  readonly address: string;
  readonly key: string;
  readonly gateId: string;
}

/** How the attack runs. */
export interface AttackPlan {
  readonly afterMs: number;
  readonly everyMs: number;
  readonly signUps: number;
}

/** Twenty minutes: long enough to see it raised, accept its rule and see it stopped. */
export const watchedAttack: Omit<AttackPlan, 'afterMs'> = { everyMs: 3_000, signUps: 400 };

const domains = ['grimbox.example', 'vexopost.example', 'nulkinbox.example', 'parvomail.example'];
const names = ['amy', 'bob', 'cleo', 'dan', 'eve', 'finn', 'gus', 'hana'];

/** One of the made-up people, at a domain of an unknown mail server. */
export const attackerAt = (number: number): { email: string; ip: string } => ({
  email: `${names[number % names.length]}${10_000 + number * 37}@${domains[number % domains.length]}`,
  ip: `198.51.100.${40 + (number % 6)}`,
});

/** Signs them up, as a client of the service would. */
export async function runAttack({ address, key, gateId }: AttackTarget, plan: AttackPlan): Promise<void> {
  // The process may end at any time.
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });
  await pause(plan.afterMs);
  for (let number = 0; number < plan.signUps; number += 1) {
    await fetch(`${address}/v1/gates/${gateId}/decisions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(attackerAt(number)),
    });
    await pause(plan.everyMs);
  }
}
