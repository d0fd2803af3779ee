// npm run bench: every bench/*.bench.ts, or those whose name contains one of the words given, as one table.
// --quick measures less; --write stores the results in bench/results.json and docs/benchmarks.md.
import { globSync } from 'node:fs';
import { bundleCheckout } from '../scripts/bundle-checkout.ts';
import { isQuick } from './pace.ts';
import { writeResults } from './results.ts';
import { type Bench, benchTable, type Row } from './row.ts';

const given = process.argv.slice(2);
const options = given.filter((word) => word.startsWith('--'));
const words = given.filter((word) => !word.startsWith('--'));
const unknown = options.filter((option) => option !== '--quick' && option !== '--write');
if (unknown.length > 0)
  throw new Error(`${unknown.join(', ')}: unknown option; use --quick, --write, or parts of bench names`);
const writes = options.includes('--write');
if (writes && isQuick) throw new Error('--write needs a full run; remove --quick');

// The service is measured as `npm start` runs it.
await bundleCheckout();
const measured: Record<string, readonly Row[]> = {};
for (const file of globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()) {
  if (words.length > 0 && !words.some((word) => file.includes(word))) continue;
  const bench = (await import(`./${file}`)) as Bench;
  const startMs = performance.now();
  measured[bench.name] = await bench.run();
  console.error(`${bench.name}: ${Math.round((performance.now() - startMs) / 1_000)} s`);
}
console.log(benchTable(Object.entries(measured).flatMap(([bench, rows]) => rows.map((row) => ({ bench, ...row })))));
if (writes) writeResults(measured, new Date());
