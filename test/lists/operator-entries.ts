import type { Actor } from '../../src/actor.ts';
import type { OperatorList } from '../../src/lists/operator/operator-list.ts';
import type { StartedApp } from '../start-app.ts';

/** The actor who changes the operator's entries in tests. */
export const someOperator: Actor = { kind: 'command', id: 'test', from: null };

/** Adds entries to the operator's lists of a running service; they are in effect when it resolves. */
export async function addOwnEntries({ app }: StartedApp, list: OperatorList, values: readonly string[]): Promise<void> {
  await app.knowledge.ownEntries.change('add', list, values, someOperator);
}
