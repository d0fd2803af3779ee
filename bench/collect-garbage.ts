import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' | 'major' }) => void = runInNewContext('gc');

/** Moves everything alive out of the nursery, so that whoever allocates next does not pay for keeping it. */
export function settleGarbage(): void {
  // What survives two scavenges is promoted.
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}

/** Frees everything that can be freed. */
export function collectGarbage(): void {
  collect({ type: 'major' });
}
