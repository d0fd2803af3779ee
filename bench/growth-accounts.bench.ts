import { type DatabaseOptions, openDatabase } from '../src/db/db.ts';
import { addAccounts } from './add-accounts.ts';
import { type BenchEngine, onEachEngine } from './each-engine.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { costOfLoad, type LoadCosts, type LoadKind } from './server-under-load.ts';
import { median } from './time-per-call.ts';

export const name = 'accounts';

const accounts = paced(10_000, 500);
/** Services of each kind, measured alternately: two identical services differ by up to 5 %. */
const services = paced(5, 1);
const size = accounts.toLocaleString('en');

/** Lookups of many accounts compared with those of one: the cost of state and writes per account. */
export const run = (): Promise<Row[]> => onEachEngine(measure);

async function measure(engine: BenchEngine): Promise<Row[]> {
  const one: LoadCosts[] = [];
  const many: LoadCosts[] = [];
  for (let count = 0; count < services; count += 1) {
    one.push(await costOfLoad(await kindOf(await engine.fresh(), 1)));
    many.push(await costOfLoad(await kindOf(await engine.fresh(), accounts)));
  }
  const answerUs = (costs: readonly LoadCosts[]): number => median(costs.map((cost) => cost.answerUs));
  const firstUs = median(many.map((cost) => cost.firstUs));
  const row = `${engine.name}: GET /domain, ${size} accounts in turn`;
  const pauseMs = Math.max(...many.map(({ longestPauseMs }) => longestPauseMs));
  return [
    { what: `${engine.name}: GET /domain, one account`, value: answerUs(one), unit: 'CPU µs' },
    { what: row, value: answerUs(many), unit: 'CPU µs', ratio: answerUs(many) / answerUs(one), goal: '≤ 1.1' },
    { what: `${row}: longest pause`, value: pauseMs, unit: 'CPU ms', goal: '≤ 20' },
    { what: `${row}: the first of each`, value: firstUs, unit: 'CPU µs', ratio: firstUs / answerUs(one) },
  ];
}

async function kindOf(database: DatabaseOptions, count: number): Promise<LoadKind> {
  const db = await openDatabase(database);
  try {
    const keys = await addAccounts(db, count);
    return { database, request: { method: 'GET', path: '/domain/example.com' }, keys };
  } finally {
    await db.close();
  }
}
