// node scripts/command-summaries.ts [--check]: writes the summaries for `signalpost --help`, so that it loads no command.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCommands } from '../src/cli/all-commands.ts';
import { binaries } from './checks.ts';
import { root } from './test-files.ts';

const file = join(root, 'src', 'cli', 'command-summaries.ts');
const summaries = allCommands.map(({ name, summary }) => ({ name, summary }));
const source = `// Written by scripts/command-summaries.ts from the commands.
import type { Summary } from './help.ts';

/** Every command with its summary, in the order of the overview. */
export const summaries: readonly Summary[] = ${JSON.stringify(summaries)};
`;
const text = execFileSync(join(binaries, 'biome'), ['format', `--stdin-file-path=${file}`], {
  cwd: root,
  input: source,
  encoding: 'utf8',
});

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('src/cli/command-summaries.ts is stale; run node scripts/command-summaries.ts');
  process.exitCode = 1;
}
