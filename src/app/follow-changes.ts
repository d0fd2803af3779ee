import { type ChangeWatch, watchChanges } from '../db/changes.ts';
import type { Following, Shared } from './feature.ts';

/** Tells those who keep data of the database in memory what any process changed there. */
export function followChanges({ db, monotonicMs }: Shared, followings: readonly Following[]): ChangeWatch {
  const changedAll = (): void => {
    for (const following of followings) following.changedAll();
  };
  const changed = (topic: string, scope: string): void => {
    for (const following of followings) if (following.topic === topic) following.changed(scope);
  };
  const watch = watchChanges(db, { monotonicMs }, changed, changedAll);
  // The first look only learns where things stand: what was read before it may have missed a change.
  watch.ready.then(changedAll);
  return watch;
}
