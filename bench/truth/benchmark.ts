// node bench/truth/benchmark.ts FOLDER: scores Signalpost and its peers on the public benchmark; prints the tables of
// docs/accuracy.md. FOLDER holds bare clones, OWNER+NAME.git, of the repositories in benchmark.json.
//   --sets    also writes the sets to var/benchmark, as labelled files for `signalpost accuracy` and scripts/data-edition.ts
//   --write   records the number of names and the checksum of each set in benchmark.json
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openLists } from '../../src/lists/lists.ts';
import { withBenchLists } from '../bench-lists.ts';
import { installPeers } from '../peer.ts';
import { type BuiltSet, buildSet, fileAt, type SetRecipe } from './benchmark-sets.ts';
import { type Answer, disposableLists, disposablePeers } from './disposable-peers.ts';

const recipeFile = join(import.meta.dirname, 'benchmark.json');
const recipe: {
  version: string;
  sets: readonly SetRecipe[];
  refreshed: { package: string; repository: string; commit: string; file: string };
} = JSON.parse(readFileSync(recipeFile, 'utf8'));
const [folder] = process.argv.slice(2).filter((each) => !each.startsWith('--'));
if (folder === undefined) throw new Error('Name the folder with the clones: node bench/truth/benchmark.ts FOLDER');

const sets = recipe.sets.map((each) => buildSet(each, folder));
if (process.argv.includes('--write')) {
  const built = { ...recipe, sets: sets.map((each) => each.recipe) };
  writeFileSync(recipeFile, `${JSON.stringify(built, null, 2)}\n`);
}
if (process.argv.includes('--sets')) {
  const out = join(import.meta.dirname, '..', '..', 'var', 'benchmark');
  mkdirSync(out, { recursive: true });
  for (const { recipe: of, names, months } of sets) {
    const rows = names.map((name) => `${name},${of.label},${months.get(name) ?? of.repository}\n`);
    writeFileSync(join(out, `${of.name}.csv`), `value,label,reason\n${rows.join('')}`);
  }
}
installPeers();
await withBenchLists(async (lists) => {
  const refreshedDir = mkdtempSync(join(tmpdir(), 'signalpost-benchmark-'));
  try {
    const { package: name, repository, commit, file } = recipe.refreshed;
    const path = join(refreshedDir, 'lists', 'sources', `${name}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fileAt(folder, repository, commit, file));
    const log = { info: () => undefined, warn: () => undefined };
    const refreshed = await openLists({ dataDir: refreshedDir, log, now: Date.now });
    report({
      Signalpost: (domain) => lists.isListed('disposable', domain),
      'Signalpost, refreshed': (domain) => refreshed.isListed('disposable', domain),
      ...disposablePeers(),
      ...disposableLists(),
    });
  } finally {
    rmSync(refreshedDir, { recursive: true, force: true });
  }
});

function report(candidates: Readonly<Record<string, Answer>>): void {
  const header = (columns: readonly string[]) =>
    `| | ${columns.join(' | ')} |\n|---|${columns.map(() => '---:').join('|')}|`;
  const lines = (count: (isFlagged: (name: string) => boolean) => readonly string[]): string =>
    Object.entries(candidates)
      .map(
        ([name, answer]) =>
          `| ${name} | ${count((domain) => answer(domain, `jane.doe@${domain}`) === true).join(' | ')} |`,
      )
      .join('\n');
  const months = [...new Set(sets.flatMap((set) => [...set.months.values()]))].sort();
  const ofMonth = (month: string) => sets.flatMap((set) => set.names.filter((name) => set.months.get(name) === month));
  console.log(`Benchmark ${recipe.version}, ${new Date().toISOString().slice(0, 10)}\n`);
  console.log(header(sets.map((set) => `\`${set.recipe.name}\` (${set.names.length})`)));
  console.log(lines((isFlagged) => sets.map((set) => shareText(set, isFlagged))));
  console.log(`\n${header(months.map((month) => `${month} (${ofMonth(month).length})`))}`);
  console.log(lines((isFlagged) => months.map((month) => percent(ofMonth(month), isFlagged))));
}

/** Found names as a share; real names that are flagged as a number. */
function shareText({ recipe: { label }, names }: BuiltSet, isFlagged: (name: string) => boolean): string {
  return label === 'disposable' ? percent(names, isFlagged) : String(names.filter(isFlagged).length);
}

function percent(names: readonly string[], isFlagged: (name: string) => boolean): string {
  return `${((names.filter(isFlagged).length / names.length) * 100).toFixed(1)} %`;
}
