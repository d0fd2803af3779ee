import type { Actor } from '../src/actor.ts';

/** The actor of changes in tests. */
export const tester: Actor = { kind: 'command', id: 'tester', from: 'here' };
