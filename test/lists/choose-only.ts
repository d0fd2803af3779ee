import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRefreshSources } from '../../src/lists/refresh/refresh-catalogue.ts';

/** Writes the choices of an operator who enables only these sources, each from its own URL. */
export function chooseOnly(dataDir: string, urls: Readonly<Record<string, string>>): void {
  const choices = readRefreshSources(dataDir, '').map(({ name }) => {
    const url = urls[name];
    return [name, url === undefined ? { enabled: false } : { enabled: true, url }];
  });
  writeFileSync(join(dataDir, 'lists', 'refresh.json'), JSON.stringify(Object.fromEntries(choices)));
}
