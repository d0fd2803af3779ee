import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSuggester } from '../../address/suggest.ts';

/** The suggester over the typo targets of a folder of hand-written files. */
export function readSuggester(curatedDir: string): (name: string) => string | null {
  return createSuggester(JSON.parse(readFileSync(join(curatedDir, 'typo-targets.json'), 'utf8')));
}
