import type { Actor } from '../src/actor.ts';

/** Who changes things in tests. */
export const tester: Actor = { kind: 'command', id: 'tester', from: 'here' };
