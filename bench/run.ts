// npm run bench: every bench/*.bench.ts, or those whose name contains one of the words given, as one table.
// --quick measures less; --write stores the results in bench/results.json and docs/benchmarks.md; --against COMMIT compares the
// request path with that of another commit, in at most --rounds N rounds.
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundleCheckout } from '../scripts/bundle-checkout.ts';
import { compareAgainst, usualMaxRounds } from './against.ts';
import { checkOut } from './other-checkout.ts';
import { isQuick } from './pace.ts';
import { writeResults } from './results.ts';
import { type Bench, benchTable, type Row } from './row.ts';

const { values: options, positionals: words } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    write: { type: 'boolean' },
    against: { type: 'string' },
    rounds: { type: 'string' },
  },
  allowPositionals: true,
});
const rounds = Number(options.rounds ?? usualMaxRounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds is a number from 1, not "${options.rounds}"`);
if (options.write && isQuick) throw new Error('--write needs a full run; remove --quick');

// The service is measured as `npm start` runs it.
await bundleCheckout();
if (options.against === undefined) await measureAll();
else console.log(await compareAgainst(checkOut(options.against), words, rounds));

async function measureAll(): Promise<void> {
  const measured: Record<string, readonly Row[]> = {};
  for (const file of globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()) {
    if (words.length > 0 && !words.some((word) => file.includes(word))) continue;
    const bench = (await import(`./${file}`)) as Bench;
    const startMs = performance.now();
    measured[bench.name] = await bench.run();
    console.error(`${bench.name}: ${Math.round((performance.now() - startMs) / 1_000)} s`);
  }
  console.log(benchTable(Object.entries(measured).flatMap(([bench, rows]) => rows.map((row) => ({ bench, ...row })))));
  if (options.write) writeResults(measured, new Date());
}
