import { openDatabase } from '../src/db/db.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { addAccounts } from './add-accounts.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { type LookupLoad, withLookups } from './server-under-load.ts';

export const name = 'endpoints';

/** A management request with the largest input that it accepts. */
interface Worst {
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

const decisions = paced(10_000, 1_000);
const repeats = paced(3, 1);
/** Requests of the second account follow each other by this time. */
const probeEveryMs = 5;
const goal = '≤ 50 ms';

/** How long a second account's requests wait, and the event loop is blocked, while one account sends the worst legal input of each management endpoint. */
export async function run(): Promise<Row[]> {
  const database = { url: null, dataDir: temporaryDirectory() };
  const db = await openDatabase(database);
  const [heavy = '', other = ''] = await addAccounts(db, 2);
  await db.close();
  return withLookups(database, other, async (load) => {
    const call = callerFor(load.port, heavy);
    const rows: Row[] = [];
    const alone = await longestWaitMs(load.port, other, () => new Promise((resolve) => setTimeout(resolve, 1_000)));
    rows.push({ what: 'GET /status of the second account, alone: longest wait', value: alone, unit: 'ms' });
    for (const worst of await worstInputs(call)) rows.push(...(await measure(load, other, call, worst)));
    return rows;
  });
}

type Call = (method: Worst['method'], path: string, body?: object) => Promise<{ status: number; text: string }>;

function callerFor(port: number, key: string): Call {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
    return { status: answer.status, text: await answer.text() };
  };
}

async function measure(load: LookupLoad, other: string, call: Call, worst: Worst): Promise<Row[]> {
  const { what, method, path, body } = worst;
  const statuses = new Set<number>();
  const send = async () => statuses.add((await call(method, path, body)).status);
  const waits: number[] = [];
  const pauses: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    pauses.push(
      await load.longestPauseMs(async () => {
        waits.push(await longestWaitMs(load.port, other, send));
      }),
    );
  }
  const label = `beside ${what} (${[...statuses].join(', ')})`;
  // Other programs of the machine make some waits longer, and none shorter.
  return [
    { what: `${label}: longest wait`, value: Math.min(...waits), unit: 'ms' },
    { what: `${label}: event loop blocked for`, value: Math.min(...pauses), unit: 'ms', goal },
  ];
}

/** The longest wait for a status that is requested again and again while work runs. */
async function longestWaitMs(port: number, key: string, work: () => Promise<unknown>): Promise<number> {
  const call = callerFor(port, key);
  let isOver = false;
  let longestMs = 0;
  const probing = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      await call('GET', '/status');
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, probeEveryMs));
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await probing;
  return longestMs;
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const longName = (seed: string, index: number): string =>
  `${many(20, (part) => `ä${part.toString(36)}${seed}${index.toString(36)}`).join('.')}.de`;

function patternRules(): object[] {
  const condition = (index: number) => ({
    field: 'domain.name',
    operator: 'matches',
    value: `^(?:[a-z]+|y${index})(?:foo|bar)?\\.(?:com|net)$`,
  });
  return many(30, (rule) => ({
    name: `Rule ${rule}`,
    action: 'block',
    match: 'any',
    conditions: many(50, (index) => condition(rule * 50 + index)),
  }));
}

function valueRules(): object[] {
  const condition = (rule: number) => ({
    field: 'domain.name',
    operator: 'in',
    value: many(1_000, (item) => `bü-${rule}-${item}.de`),
  });
  return many(25, (rule) => ({ name: `Rule ${rule}`, action: 'block', match: 'any', conditions: [condition(rule)] }));
}

/** Creates what the requests need, and lists them. */
async function worstInputs(call: Call): Promise<Worst[]> {
  const idOf = async (path: string, body: object): Promise<string> =>
    JSON.parse((await call('POST', path, body)).text).data.id;
  const gate = `/v1/gates/${await idOf('/v1/gates', { name: 'Bench', preset: 'none' })}`;
  const list = `/v1/lists/${await idOf('/v1/lists', { name: 'bench', kind: 'domain' })}`;
  for (let from = 0; from < decisions; from += 50)
    await Promise.all(
      many(50, (index) => call('POST', `${gate}/decisions`, { email: `ja.ne+${from + index}@gmail.com` })),
    );
  await call('POST', '/v1/outcomes', {
    outcomes: many(500, (index) => ({ email: `ja.ne+${index}@gmail.com`, outcome: 'bad' })),
  });
  const entries = (seed: string) => ({
    entries: many(1_000, (index) => ({ value: longName(seed, index), note: 'x'.repeat(500) })),
  });
  const rules = patternRules();
  return [
    {
      what: 'POST /blocklist/bulk, 1,000 IDN names of 20 labels',
      method: 'POST',
      path: '/blocklist/bulk',
      body: { domains: many(1_000, (index) => longName('b', index)) },
    },
    { what: 'GET /blocklist', method: 'GET', path: '/blocklist?per_page=100' },
    {
      what: 'POST /v1/lists/{id}/entries, 1,000 IDN names of 20 labels with notes',
      method: 'POST',
      path: `${list}/entries`,
      body: entries('l'),
    },
    { what: 'GET /v1/lists/{id}/entries with a search', method: 'GET', path: `${list}/entries?search=zzz` },
    {
      what: 'DELETE /v1/lists/{id}/entries, 1,000 values',
      method: 'DELETE',
      path: `${list}/entries`,
      body: { values: many(1_000, (index) => longName('l', index)) },
    },
    { what: 'PUT /v1/gates/{id}/rules, 1,500 patterns', method: 'PUT', path: `${gate}/rules`, body: { rules } },
    { what: 'PATCH /v1/gates/{id}, 25,000 IDN values', method: 'PATCH', path: gate, body: { rules: valueRules() } },
    { what: 'GET /v1/gates/{id} of 25,000 values', method: 'GET', path: gate },
    { what: 'GET /v1/gates', method: 'GET', path: '/v1/gates' },
    { what: 'GET /v1/gates/{id}/revisions', method: 'GET', path: `${gate}/revisions` },
    { what: 'POST /v1/gates/{id}/backtest, 1,500 patterns', method: 'POST', path: `${gate}/backtest`, body: { rules } },
    {
      what: 'POST /v1/gates/{id}/trace, 1,500 patterns',
      method: 'POST',
      path: `${gate}/trace`,
      body: { email: 'jane@example.com', rules },
    },
    { what: 'POST /v1/gates/{id}/suggestions', method: 'POST', path: `${gate}/suggestions`, body: {} },
    {
      what: 'GET /v1/gates/{id}/decisions, a search without a match',
      method: 'GET',
      path: `${gate}/decisions?domain=missing.example`,
    },
    { what: 'GET /v1/decisions, 100 entries', method: 'GET', path: '/v1/decisions?limit=100' },
    { what: 'GET /v1/gates/{id}/stats', method: 'GET', path: `${gate}/stats` },
    {
      what: 'POST /v1/outcomes, 1,000 spellings of one mailbox',
      method: 'POST',
      path: '/v1/outcomes',
      body: { outcomes: many(1_000, (index) => ({ email: `j.a.n.e+${index}@gmail.com`, outcome: 'bad' })) },
    },
    { what: 'GET /v1/fields', method: 'GET', path: '/v1/fields' },
    { what: 'GET /v1/waves', method: 'GET', path: '/v1/waves' },
    {
      what: 'POST /v1/webhooks, a body of 1 MB',
      method: 'POST',
      path: '/v1/webhooks',
      body: { url: 'https://example.com/', description: 'x'.repeat(1_000_000) },
    },
  ];
}
