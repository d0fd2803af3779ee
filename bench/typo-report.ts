// node bench/typo-report.ts [REAL]: how many typos of each kind are corrected, and how many names of the file REAL (real domains,
// one a line) are "corrected" wrongly.
import { readFileSync } from 'node:fs';
import tlds from 'tlds' with { type: 'json' };
import { parse } from 'tldts';
import { parseDomain } from '../src/address/domain.ts';
import { withBenchLists } from './bench-lists.ts';
import { seededRandom } from './seeded-random.ts';
import { drawTypos, typoKinds } from './typo-kinds.ts';

const isSuffix = (name: string): boolean => parse(`placeholder.${name}`).isIcann === true || tlds.includes(name);

await withBenchLists(async (lists) => {
  const suggest = (text: string): string | null => lists.suggest(parseDomain(text)?.ascii ?? text);
  const drawn = drawTypos(seededRandom(33), typoKinds(isSuffix)).map((typo) => ({
    ...typo,
    said: suggest(typo.typed),
  }));
  const line = (name: string, rows: typeof drawn): void => {
    const fixed = rows.filter(({ said, meant }) => said === meant).length;
    const other = rows.filter(({ said, meant }) => said !== null && said !== meant).length;
    const share = ((100 * fixed) / rows.length).toFixed(1);
    console.log(`| ${name} | ${rows.length} | ${fixed} (${share} %) | ${other} |`);
  };
  for (const [set, ofSet] of Map.groupBy(drawn, (typo) => typo.set)) {
    for (const [kind, rows] of Map.groupBy(ofSet, (typo) => typo.kind)) line(kind, rows);
    line(`**${set}**`, ofSet);
  }
  if (process.env.MISSES === 'true') {
    for (const { kind, typed, meant, said } of drawn)
      if (said !== meant) console.log(`${kind}: ${typed} ${meant} ${said}`);
  }
  const [file] = process.argv.slice(2);
  if (file === undefined) return;
  const real = readFileSync(file, 'utf8')
    .split('\n')
    .filter((name) => name !== '');
  const wrong = real.flatMap((name) => {
    const said = suggest(name);
    return said === null ? [] : [`${name} → ${said}`];
  });
  console.log(`${real.length} real domains, ${wrong.length} corrected`);
  for (const each of wrong) console.log(each);
});
