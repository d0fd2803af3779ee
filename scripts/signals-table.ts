import { readFile, writeFile } from 'node:fs/promises';
import { registered } from '../src/signals/registry.ts';
import { signalsTable } from '../src/signals/signals-table.ts';

/** Writes the table of docs/signals.md from the registry; `--check` only compares, and wants a section for each field of lookups. */
const file = new URL('../docs/signals.md', import.meta.url);
const text = await readFile(file, 'utf8');
const current = /^\| in lookups \|(?:.*\n\|)*.*$/m.exec(text)?.[0];
if (current === undefined) throw new Error('docs/signals.md has no table that begins with "| in lookups |"');
const table = signalsTable();
const sections = registered().flatMap(({ signal: { lookup } }) =>
  lookup === undefined || lookup.explainOnly ? [] : [`## ${lookup.name}`],
);
const missing = sections.filter((section) => !text.includes(`\n${section}\n`));
if (!process.argv.includes('--check'))
  await writeFile(
    file,
    text.replace(current, () => table),
  );
else if (current !== table) {
  console.error('the table of docs/signals.md is stale; run: node scripts/signals-table.ts');
  process.exitCode = 1;
}
if (missing.length > 0) {
  console.error(`docs/signals.md has no section ${missing.join(', ')}`);
  process.exitCode = 1;
}
