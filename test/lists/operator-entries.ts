import type { Actor } from '../../src/actor.ts';
import type { OperatorList } from '../../src/lists/operator/operator-list.ts';
import type { StartedApp } from '../start-app.ts';

/** Somebody who changes the operator's entries in a test. */
export const someOperator: Actor = { kind: 'command', id: 'test', from: null };

/** Puts entries on the operator's own lists of a running service; they hold when it returns. */
export async function addOwnEntries({ app }: StartedApp, list: OperatorList, values: readonly string[]): Promise<void> {
  await app.knowledge.ownEntries.change('add', list, values, someOperator);
}
