/** A row of test/conformance.md. Its feature is open while the rule starts with "(to come)". */
export interface ConformanceRule {
  readonly id: string;
  readonly rule: string;
  readonly isOpen: boolean;
}

/** A test that ended, or a suite that was skipped, as the reporter of the test run recorded it. */
export interface EndedTest {
  readonly file: string;
  readonly name: string;
  readonly outcome: 'passed' | 'skipped' | 'failed';
}

const ids = '[A-Z]+\\d+(?: [A-Z]+\\d+)*';
/** A name ends with the ids of its rules: `… [S12 D3]`. In a source, the closing quote follows. */
const tagInSource = new RegExp(`\\[(${ids})\\](?=['"\`])`, 'g');
const tagInName = new RegExp(`\\[(${ids})\\]$`);
const tagInCall = new RegExp(`(\\w+)\\(\\s*(['"\`])(?:(?!\\2).)*\\[(${ids})\\]\\2`, 'g');

/** The rows of the table, in their order. */
export function readRules(table: string): ConformanceRule[] {
  return table
    .split('\n')
    .filter((line) => /^\| [A-Z]+\d+ \|/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, id = '', rule = '']) => ({ id, rule, isOpen: rule.startsWith('(to come)') }));
}

/** The ids in the test names of this source. */
export function idsInSource(source: string): string[] {
  return [...source.matchAll(tagInSource)].flatMap(([, tag = '']) => tag.split(' '));
}

/**
 * The ids in names that this source passes to a function other than `it` and `test`. The reporter reports such a test in the
 * file of the function, so that the id would be missing in this one after the run.
 */
export function misplacedIds(source: string): { readonly id: string; readonly callee: string }[] {
  return [...source.matchAll(tagInCall)]
    .filter(([, callee]) => callee !== 'it' && callee !== 'test')
    .flatMap(([, callee = '', , tag = '']) => tag.split(' ').map((id) => ({ id, callee })));
}

/** The ids in the name of one test. */
export function idsInName(name: string): string[] {
  return tagInName.exec(name)?.[1]?.split(' ') ?? [];
}

/** Mismatches between the table and the test sources: a rule without a test, a test without a rule. */
export function problemsOfSources(
  rules: readonly ConformanceRule[],
  idsByFile: ReadonlyMap<string, readonly string[]>,
): string[] {
  const known = new Set(rules.map(({ id }) => id));
  const carried = new Set([...idsByFile.values()].flat());
  return [
    ...(rules.length === 0 ? ['test/conformance.md has no rows'] : []),
    ...rules
      .filter(({ id }, row) => rules.findIndex((other) => other.id === id) !== row)
      .map(({ id }) => `${id}: twice`),
    ...rules.filter(({ rule }) => rule === '').map(({ id }) => `${id}: no rule`),
    ...rules.filter(({ id, isOpen }) => !isOpen && !carried.has(id)).map(({ id }) => `${id}: no test carries it`),
    ...rules.filter(({ id, isOpen }) => isOpen && carried.has(id)).map(({ id }) => `${id}: has a test, yet is to come`),
    ...[...idsByFile].flatMap(([file, found]) =>
      found.filter((id) => !known.has(id)).map((id) => `${id}: in ${file}, but not in test/conformance.md`),
    ),
  ];
}

/**
 * The ids in a source for which no test of that file ran: a table of cases lost its cases, or a test was skipped. Where skipping
 * is allowed, files with a skipped test or suite are excluded, because a skipped suite does not list its tests. A failed test has
 * already failed the run, so its rule is not reported again.
 */
export function problemsOfRun(
  idsByFile: ReadonlyMap<string, readonly string[]>,
  ended: readonly EndedTest[],
  isSkippingAllowed: boolean,
): string[] {
  const skipped = ended.filter(({ outcome }) => outcome === 'skipped');
  const ranTests = ended.filter(({ outcome }) => outcome !== 'skipped');
  const excluded = new Set(isSkippingAllowed ? skipped.map(({ file }) => file) : []);
  const ran = new Set(ranTests.flatMap(({ file, name }) => idsInName(name).map((id) => `${id} ${file}`)));
  return [...idsByFile]
    .filter(([file]) => !excluded.has(file))
    .flatMap(([file, ids]) => [...new Set(ids)].filter((id) => !ran.has(`${id} ${file}`)).map((id) => ({ file, id })))
    .map(({ file, id }) => `${id}: no test of ${file} ran for it`);
}
