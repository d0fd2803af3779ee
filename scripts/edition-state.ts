// node scripts/edition-state.ts FILE [FOLDER]: writes the lists of the installed packages and their scores, for scripts/data-edition.ts.
// Editions in FOLDER (SOURCE.txt) replace those of the packages.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBenchLists } from '../bench/bench-lists.ts';
import { answerAbout, ownAnswers, scoredFields } from '../bench/truth/own-answers.ts';
import { parseLabelled, score } from '../src/cli/accuracy/accuracy.ts';
import type { Lists } from '../src/lists/lists.ts';
import { Verdict } from '../src/lists/snapshot/flags.ts';
import { entryName } from '../src/lists/snapshot/list-table.ts';
import { decodeSnapshot } from '../src/lists/snapshot/snapshot-file.ts';
import { verdict } from '../src/lists/snapshot/verdict.ts';
import type { EditionState } from './edition-report.ts';
import { root } from './test-files.ts';

const [file, editions] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file to write');
await withBenchLists(async (lists, dataDir) => {
  const state: EditionState = {
    sources: lists.status().sources.map(({ name, version, count }) => ({ name, version, count })),
    disposable: disposableEntries(join(dataDir, 'lists', 'snapshot.bin')),
    ...scoreSets(lists),
  };
  writeFileSync(file, JSON.stringify(state));
}, editions);

function disposableEntries(snapshot: string): string[] {
  const { table } = decodeSnapshot(readFileSync(snapshot));
  return Array.from(table.flags, (flags, index) =>
    (verdict(flags, 0) & Verdict.disposable) === 0 ? '' : entryName(table, index),
  ).filter((name) => name !== '');
}

/** Scores the frozen sets, and the public benchmark where bench/truth/benchmark.ts wrote it. */
function scoreSets(lists: Lists): Pick<EditionState, 'scores' | 'falsePositives'> {
  const answers = ownAnswers(lists);
  const folders = [join(root, 'bench/truth'), join(root, 'var/benchmark')].filter(existsSync);
  const files = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith('.csv') ? [join(folder, name)] : [])),
  );
  const results = files.map((path) => {
    const rows = parseLabelled(readFileSync(path, 'utf8'), new Set(scoredFields));
    const result = score(rows, ({ value }) =>
      Object.fromEntries(Object.entries(answers).map(([field, answer]) => [field, answerAbout(answer, value)])),
    );
    return { set: path.slice(root.length + 1), ...result };
  });
  return {
    scores: results.flatMap(({ set, scores }) =>
      scores.map(({ field, positives, found }) => ({ set, field, positives, found })),
    ),
    falsePositives: results.flatMap(({ set, wrong }) =>
      wrong.flatMap(({ value, field, expected }) => (expected === null ? [`${set}: ${value} ${field}`] : [])),
    ),
  };
}
