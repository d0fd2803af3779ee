import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRefreshSources } from '../../src/lists/refresh/refresh-catalogue.ts';

/** Writes the choices of an operator who wants one source, from an address of their own, and no other. */
export function chooseOnly(dataDir: string, source: string, url: string): void {
  const choices = readRefreshSources(dataDir, url).map(({ name }) => [
    name,
    name === source ? { enabled: true, url } : { enabled: false },
  ]);
  writeFileSync(join(dataDir, 'lists', 'refresh.json'), JSON.stringify(Object.fromEntries(choices)));
}
