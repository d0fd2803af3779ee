import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' | 'major' }) => void = runInNewContext('gc');

/** Promotes all live objects out of the nursery, so that the next allocations do not pay for it. */
export function promoteLiveObjects(): void {
  // Objects that survive two scavenges are promoted.
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}

/** Runs a full garbage collection. */
export function collectGarbage(): void {
  collect({ type: 'major' });
}
