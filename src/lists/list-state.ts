import type { OperatorEntries } from './operator/operator-entries.ts';
import type { RoleNames } from './role-name.ts';
import type { Snapshot } from './snapshot/snapshot-file.ts';

/** The lists as they are at one moment: the snapshot and the operator's entries. */
export interface ListState {
  readonly snapshot: Snapshot;
  readonly operator: OperatorEntries;
  readonly roles: RoleNames;
}

/** Combines a snapshot with the operator's entries. */
export function listState(snapshot: Snapshot, operator: OperatorEntries): ListState {
  const { roles, roleWords, rolePlaces } = snapshot.header;
  return {
    snapshot,
    operator,
    roles: { names: new Set(roles), words: new Set(roleWords), places: new Set(rolePlaces) },
  };
}
