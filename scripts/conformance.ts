import { globSync, readFileSync } from 'node:fs';

/**
 * Checks test/conformance.md: every row names a test that exists (`file › test name`, the name as in the source), or `–`
 * while the issue that fills it is open. `--complete` refuses `–` too.
 */
const root = new URL('../', import.meta.url);
const rows = readFileSync(new URL('test/conformance.md', root), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]+\d+ /.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
const sources = new Map(
  globSync('{src,test}/**/*.test.ts', { cwd: root.pathname }).map((path) => [
    path,
    readFileSync(new URL(path, root), 'utf8'),
  ]),
);

const problems: string[] = [];
const seen = new Set<string>();
for (const [, id = '', rule = '', test = ''] of rows) {
  if (seen.has(id)) problems.push(`${id}: the number is there twice`);
  seen.add(id);
  if (rule === '') problems.push(`${id}: no rule`);
  if (test === '–') {
    if (process.argv.includes('--complete')) problems.push(`${id}: no test yet`);
    continue;
  }
  const [file = '', name = ''] = test.replaceAll('`', '').split(' › ');
  const source = sources.get(file);
  if (source === undefined) problems.push(`${id}: there is no test file ${file}`);
  else if (name === '' || !source.includes(name.replaceAll('\\|', '|')))
    problems.push(`${id}: ${file} has no test "${name}"`);
}
if (rows.length === 0) problems.push('test/conformance.md has no rows');
for (const problem of problems) console.error(`conformance: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`conformance: ${rows.length} rules, ${rows.filter((row) => row[3] !== '–').length} held by a test`);
