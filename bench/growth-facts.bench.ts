import { openDatabase } from '../src/db/db.ts';
import { createFactsStore, type Fact } from '../src/lookups/facts-store.ts';
import type { StartedApp } from '../test/start-app.ts';
import { type BenchEngine, onEachEngine } from './each-engine.ts';
import { type LookupKind, lookupCosts, startForLookups } from './lookup-cost.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';

export const name = 'facts';

const total = paced(1_000_000, 20_000);
/** Facts that both databases have; their domains are not in memory. */
const asked = paced(40_000, 1_500);
const batchSize = 5_000;
const size = total.toLocaleString('en');

/** Lookups with a million stored facts, compared with a database that has only the requested ones. */
export const run = (): Promise<Row[]> => onEachEngine(measure);

async function measure(engine: BenchEngine): Promise<Row[]> {
  const [few, many] = [await engine.fresh(), await engine.fresh()];
  for (const [database, others] of [
    [few, 0],
    [many, total - asked],
  ] as const) {
    const db = await openDatabase(database);
    const store = createFactsStore(db);
    for (let from = 0; from < asked + others; from += batchSize) await store.save(facts(from, asked + others));
    await db.close();
  }
  const services = [await startForLookups(few), await startForLookups(many)] as const;
  try {
    return [
      ...(await rowsOf(engine, services, 'domain in memory', () => 'example.com')),
      ...(await rowsOf(engine, services, 'domain never seen before', (call) => `new-${call}.example.com`)),
      ...(await rowsOf(engine, services, 'domain with stored facts, not in memory', storedDomain)),
    ];
  } finally {
    for (const started of services) await started.close();
  }
}

async function rowsOf(
  { name: engine }: BenchEngine,
  [few, many]: readonly [StartedApp, StartedApp],
  what: string,
  domain: (call: number) => string,
): Promise<Row[]> {
  const kindOf = (started: StartedApp): LookupKind => ({
    started,
    ask: (call) => ({ key: started.keys.production, domain: domain(call) }),
  });
  const [fewUs = Number.NaN, manyUs = Number.NaN] = await lookupCosts([kindOf(few), kindOf(many)]);
  return [
    { what: `${engine}: lookup, ${what}, few facts`, value: fewUs, unit: 'µs' },
    {
      what: `${engine}: lookup, ${what}, ${size} facts`,
      value: manyUs,
      unit: 'µs',
      ratio: manyUs / fewUs,
      goal: '≤ 1.1',
    },
  ];
}

/** Names in random order: neighbours in time are far apart in the index. */
const storedDomain = (index: number): string => `${(Math.imul(index, 0x9e3779b1) >>> 0).toString(36)}-${index}.com`;

const learntAtMs = Date.now();

function facts(from: number, end: number): Fact[] {
  return Array.from({ length: Math.min(batchSize, end - from) }, (_, index): Fact => {
    const value = [{ hostname: `mx.${storedDomain(from + index)}`, priority: 10 }];
    return { domain: storedDomain(from + index), kind: 'mx', value, source: 'dns', learntAtMs };
  });
}
