// npm run bench: every bench/*.bench.ts, or those whose name contains one of the words given, as one table.
import { globSync } from 'node:fs';
import { type Bench, benchTable, type Row } from './row.ts';

const words = process.argv.slice(2);
const rows: (Row & { bench: string })[] = [];
for (const file of globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()) {
  if (words.length > 0 && !words.some((word) => file.includes(word))) continue;
  const bench = (await import(`./${file}`)) as Bench;
  console.error(`${bench.name} …`);
  for (const row of await bench.run()) rows.push({ bench: bench.name, ...row });
}
console.log(benchTable(rows));
