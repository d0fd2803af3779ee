import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSuggester, type Suggest } from '../../address/suggest.ts';
import { lazily } from '../../platform/lazily.ts';

/** The suggester over the typo targets of a folder of hand-written files, which are read at its first use. */
export function readSuggester(curatedDir: string): Suggest {
  const suggest = lazily(() =>
    createSuggester(JSON.parse(readFileSync(join(curatedDir, 'typo-targets.json'), 'utf8'))),
  );
  return (name, onlyCertain) => suggest()(name, onlyCertain);
}
