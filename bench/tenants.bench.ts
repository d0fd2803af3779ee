import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/db.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { addAccounts } from './add-accounts.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { type LookupLoad, withLookups } from './server-under-load.ts';

export const name = 'tenants';

/** The plan `pro-200k` allows 15 requests a second. */
const perSecond = 14;
const aloneMs = paced(2_000, 1_000);
const besideMs = paced(8_000, 3_000);
const neighbours = 20;

/** One request of the account whose neighbour is measured. */
interface Work {
  readonly method: 'POST' | 'PATCH' | 'GET';
  readonly path: string;
  readonly body?: string | Buffer;
}

type MakeWork = (count: number) => Work;

/** Warm lookups of one account while others use their throughput for costly management requests. */
export async function run(): Promise<Row[]> {
  const database = { url: null, dataDir: temporaryDirectory() };
  const db = await openDatabase(database);
  const [reader = '', ...writers] = await addAccounts(db, neighbours + 1);
  await db.close();
  return withLookups(database, reader, async (load) => {
    const [writer = ''] = writers;
    const gate = await gateWithLog(load.port, writer);
    const rows: Row[] = [];
    const kinds = kindsOf(gate);
    for (const [what, make] of Object.entries(kinds)) {
      rows.push(...(await measure(load, reader, [writer], `beside ${what}`, make)));
    }
    const { 'bulk adds, IDN names with 20 labels': costly = bulk(longName) } = kinds;
    const label = `beside ${neighbours} accounts' bulk adds, IDN names with 20 labels`;
    return [...rows, ...(await measure(load, reader, writers, label, costly, '≥ 0.5'))];
  });
}

const goals = { p99: '≤ 50 ms more', drained: '≤ 10 s' };

async function measure(
  load: LookupLoad,
  reader: string,
  writers: readonly string[],
  what: string,
  make: MakeWork,
  goal = '≥ 0.7',
): Promise<Row[]> {
  const before = await load.lookUp(reader, aloneMs);
  const sending = writers.map((writer) => send(load.port, writer, make));
  const beside = await load.lookUp(reader, besideMs);
  const endedMs = performance.now();
  for (const one of sending) one.stop();
  const statuses = (await Promise.all(sending.map((one) => one.answered))).flat();
  await Promise.all(writers.map((writer) => call(load.port, writer, { method: 'GET', path: '/blocklist' })));
  const drainedS = (performance.now() - endedMs) / 1_000;
  const rate = beside.answers / besideMs;
  const refused = statuses.filter((status) => status === 429).length;
  const label = `GET /domain ${what} (${statuses.length} requests, ${refused} refused)`;
  await sleep(1_000);
  // The speed of a machine changes within seconds.
  const after = await load.lookUp(reader, aloneMs);
  const alone = (before.answers + after.answers) / (2 * aloneMs);
  const p99Ms = (before.p99Ms + after.p99Ms) / 2;
  return [
    { what: label, value: rate * 1_000, unit: 'responses / s', ratio: rate / alone, goal },
    { what: `${label}: p99 above normal`, value: beside.p99Ms - p99Ms, unit: 'ms', goal: goals.p99 },
    { what: `${label}: drained after`, value: drainedS, unit: 's', goal: goals.drained },
  ];
}

/** Sends requests at a fixed rate, whether or not they are answered. */
function send(port: number, key: string, make: MakeWork) {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<number>[] = [];
  const timer = setInterval(() => answers.push(call(port, key, make(nextCount()), agent)), 1_000 / perSecond);
  const { promise: answered, resolve } = Promise.withResolvers<number[]>();
  return {
    answered,
    stop() {
      clearInterval(timer);
      // Clients give up: what they left waiting must not run.
      agent.destroy();
      resolve(Promise.all(answers));
    },
  };
}

/** The status of the response; 0 when the client gave up. */
function call(port: number, key: string, { method, path, body }: Work, agent?: Agent): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = request({ port, host: '127.0.0.1', method, path, headers, ...(agent && { agent }) }, (answer) => {
    answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
  });
  sent.on('error', () => resolve(0)).end(body);
  return promise;
}

let made = 0;
const nextCount = (): number => {
  made += 1;
  return made;
};

/** A gate with logged decisions to search and to test rules on. */
async function gateWithLog(port: number, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Bench', preset: 'none' });
  const answer = await fetch(`http://127.0.0.1:${port}/v1/gates`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { id: string } };
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const decide = (index: number): Promise<number> =>
    call(
      port,
      key,
      { method: 'POST', path: `/v1/gates/${data.id}/decisions`, body: JSON.stringify({ domain: `d${index}.com` }) },
      agent,
    );
  await Promise.all(Array.from({ length: paced(10_000, 2_000) }, (_, index) => decide(index)));
  agent.destroy();
  return `/v1/gates/${data.id}`;
}

const kindsOf = (gate: string): Readonly<Record<string, MakeWork>> => ({
  'bulk adds, plain names': bulk((id) => `name-${id}.example.com`),
  'bulk adds, IDN names with 2 labels': bulk((id) => `bücher-${id}.münchen`),
  'bulk adds, IDN names with 20 labels': bulk(longName),
  'saves of 1,500 patterns': sending('PATCH', gate, (count) => ({ rules: patternRules(count) })),
  'saves of 25,000 IDN values': sending('PATCH', gate, (count) => ({ rules: valueRules(count) })),
  'backtests with 1,500 patterns': sending('POST', `${gate}/backtest`, (count) => ({ rules: patternRules(count) })),
  'log searches': (count) => ({ method: 'GET', path: `${gate}/decisions?domain=d${count}.com` }),
});

/** Bodies are made before anything is measured, because making them takes as much of the machine as a service does; they repeat after this many. */
const bodies = 46;

function sending(method: Work['method'], path: string, bodyOf: (count: number) => object): MakeWork {
  const made = Array.from({ length: bodies }, (_, count) => Buffer.from(JSON.stringify(bodyOf(count))));
  return (count) => ({ method, path, body: made[count % bodies] as Buffer });
}

/** Labels of a name differ from those of the other 46,000: no cache helps. */
const longName = (id: string): string =>
  Array.from({ length: 20 }, (_, index) => `ä${index.toString(36)}${id.slice(-3)}`).join('.');

function bulk(nameOf: (id: string) => string): MakeWork {
  return sending('POST', '/blocklist/bulk', (count) => ({
    domains: Array.from({ length: 1_000 }, (_, index) => nameOf((count * 1_000 + index).toString(36))),
  }));
}

function patternRules(count: number): object[] {
  return rulesOf(30, 50, (index) => {
    const value = `^(?:[a-z]+|x${count}y${index})(?:foo|bar)?\\.(?:com|net)$`;
    return { field: 'domain.name', operator: 'matches', value };
  });
}

function valueRules(count: number): object[] {
  return rulesOf(25, 1, (index) => {
    const value = Array.from({ length: 1_000 }, (_, item) => `bü${count.toString(36)}-${index}-${item}.de`);
    return { field: 'domain.name', operator: 'in', value };
  });
}

function rulesOf(rules: number, conditions: number, conditionOf: (index: number) => object): object[] {
  return Array.from({ length: rules }, (_, rule) => ({
    name: `Rule ${rule}`,
    action: 'block',
    match: 'any',
    conditions: Array.from({ length: conditions }, (__, index) => conditionOf(rule * conditions + index)),
  }));
}
