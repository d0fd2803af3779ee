import type { OperatorEntries } from './operator/operator-entries.ts';
import type { Snapshot } from './snapshot/snapshot-file.ts';

/** The lists as they are at one moment: the snapshot and the operator's entries. */
export interface ListState {
  readonly snapshot: Snapshot;
  readonly operator: OperatorEntries;
  readonly roles: ReadonlySet<string>;
}

/** The state a snapshot and the operator's entries make. */
export function listState(snapshot: Snapshot, operator: OperatorEntries): ListState {
  return { snapshot, operator, roles: new Set(snapshot.header.roles) };
}
