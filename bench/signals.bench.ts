import { withBenchLists } from './bench-lists.ts';
import { disposableRows } from './disposable-rows.ts';
import { normaliseRows } from './normalise-rows.ts';
import { installPeers } from './peer.ts';
import type { Row } from './row.ts';
import { suggestionRows } from './suggestion-rows.ts';

export const name = 'signals';

/** Signals without the network, compared with other libraries: speed and accuracy. */
export async function run(): Promise<Row[]> {
  installPeers();
  return withBenchLists(async (lists) => [
    ...(await disposableRows(lists)),
    ...(await suggestionRows(lists)),
    ...(await normaliseRows()),
  ]);
}
