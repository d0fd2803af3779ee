import { withBenchLists } from './bench-lists.ts';
import { disposableRows } from './disposable-rows.ts';
import { normaliseRows } from './normalise-rows.ts';
import { installPeers } from './peer.ts';
import type { Row } from './row.ts';
import { suggestionRows } from './suggestion-rows.ts';

export const name = 'signals';

/** What needs no network, beside the libraries that do the same: how fast, and how right. */
export async function run(): Promise<Row[]> {
  installPeers();
  return withBenchLists(async (lists) => [
    ...(await disposableRows(lists)),
    ...(await suggestionRows(lists)),
    ...(await normaliseRows()),
  ]);
}
