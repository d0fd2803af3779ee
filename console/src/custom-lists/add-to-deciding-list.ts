import type { CustomList, Signalpost } from '@signalpost/client';
import type { Environment } from '../api/environment.ts';
import { saveGate, type WholeRevision } from '../api/gate.ts';
import { addRuleOnTop, draftOf } from '../gate-editor/draft.ts';
import { rulesOf } from '../gate-editor/use-draft.ts';
import { type DecidingListName, decidesFirst, decidingList, decidingLists, decidingRule } from './deciding-list.ts';

interface Decided {
  readonly client: Pick<Signalpost, 'lists'>;
  readonly environment: Environment;
  readonly gateId: string;
  readonly gate: WholeRevision;
}

/** Adds a value to a deciding list, and the list's rule to the gate where it is missing; null if the list cannot be created. */
export async function addToDecidingList(
  { client, environment, gateId, gate }: Decided,
  which: DecidingListName,
  value: string,
): Promise<CustomList | null> {
  const list = await decidingList(client, which);
  if (list === null) return null;
  if (!decidesFirst(gate, list, decidingLists[which].action)) {
    const { draft } = addRuleOnTop(draftOf(gate.revision, rulesOf(gate)), decidingRule(which, list));
    await saveGate(environment, gateId, gate.revision, draft.now);
  }
  await client.lists.entries.add(list.id, [{ value }]);
  return list;
}
