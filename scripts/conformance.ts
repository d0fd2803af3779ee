// node scripts/conformance.ts: checks that test/conformance.md and the ids in test names agree.
//   --complete      rejects rules of planned features
//   --ran REPORT    a whole run's report (scripts/conformance-reporter.ts): each id also belongs to a test that ran
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type EndedTest,
  idsInSource,
  misplacedIds,
  problemsOfRun,
  problemsOfSources,
  readRules,
} from './conformance-rules.ts';
import { root, testFiles } from './test-files.ts';

const { values } = parseArgs({ options: { complete: { type: 'boolean' }, ran: { type: 'string' } } });
const rules = readRules(readFileSync(join(root, 'test/conformance.md'), 'utf8'));
const sources = testFiles().map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
const idsByFile = new Map(sources.map(([file, source]) => [file, idsInSource(source)] as const));
const open = rules.filter(({ isOpen }) => isOpen);
const problems = problemsOfSources(rules, idsByFile);
for (const [file, source] of sources)
  for (const { id, callee } of misplacedIds(source))
    problems.push(
      `${id}: ${file} passes its test to ${callee}(), which the run reports in another file; put the id in an it()`,
    );
if (values.complete) problems.push(...open.map(({ id }) => `${id}: is still to come`));
if (values.ran !== undefined) problems.push(...problemsOfRun(idsByFile, readReport(values.ran), !process.env.CI));

for (const problem of problems) console.error(`conformance: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`conformance: ${rules.length} rules, ${rules.length - open.length} covered by a test`);

function readReport(path: string): EndedTest[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EndedTest);
}
