import { type Db, openDatabase } from '../src/db/db.ts';
import { encodeMembers, maxMembers } from '../src/waves/wave-members.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { storeWave } from '../test/stored-wave.ts';
import { addAccounts } from './add-accounts.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { type LookupLoad, withLookups } from './server-under-load.ts';
import { type Call, managementOperations, type Operation, prepareObjects, waves, worstInputs } from './worst-inputs.ts';

export const name = 'endpoints';

const repeats = paced(3, 1);
/** Requests of the second account follow each other by this time. */
const probeEveryMs = 5;
const goal = '≤ 50 ms';

/** How long a second account's requests wait, and the event loop is blocked, while one account sends the worst legal input of each management endpoint. */
export async function run(): Promise<Row[]> {
  const database = { url: null, dataDir: temporaryDirectory() };
  const db = await openDatabase(database);
  const [heavy = '', other = ''] = await addAccounts(db, 2);
  const wave_id = await storeWaves(db);
  await db.close();
  return withLookups(database, other, async (load) => {
    const call = callerFor(load.port, heavy);
    const rows: Row[] = [];
    const alone = await longestWaitMs(load.port, other, () => new Promise((resolve) => setTimeout(resolve, 1_000)));
    rows.push({ what: 'GET /status of the second account, alone: longest wait', value: alone, unit: 'ms' });
    const params = { ...(await prepareObjects(call)), wave_id };
    for (const operation of managementOperations())
      rows.push(...(await measure(load, other, { call, params }, operation)));
    return rows;
  });
}

/** Waves of the first account, each with as many decisions as are kept; returns the id of one. */
async function storeWaves(db: Db): Promise<string> {
  const members = Array.from({ length: maxMembers }, (_, index) => {
    const atMs = Date.now() + index;
    return { atMs, idEnd: index, action: 0, member: index, domain: index, ip: index };
  });
  const body = encodeMembers(members);
  const owner = { db, first: { id: 'bench-0' }, clock: { now: Date.now } };
  let id = '';
  for (let index = 0; index < waves; index += 1) {
    id = await storeWave(owner, { key: index, value: `wave-${index}.example` });
    await db.write.insertInto('wave_members').values({ wave_id: id, no: 0, body }).execute();
  }
  return id;
}

function callerFor(port: number, key: string): Call {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
    return { status: answer.status, text: await answer.text() };
  };
}

interface Heavy {
  readonly call: Call;
  readonly params: Readonly<Record<string, string>>;
}

async function measure(load: LookupLoad, other: string, { call, params }: Heavy, operation: Operation): Promise<Row[]> {
  const { operationId, method, path } = operation;
  const { with: input, query, body, prepare } = worstInputs[operationId] ?? {};
  const statuses = new Set<number>();
  const waits: number[] = [];
  const pauses: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const values = { ...params, ...(await prepare?.(call)) };
    const sent = typeof body === 'function' ? body(values) : body;
    const target = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name] ?? '');
    const send = async () =>
      statuses.add((await call(method, query === undefined ? target : `${target}?${query}`, sent)).status);
    pauses.push(
      await load.longestPauseMs(async () => {
        waits.push(await longestWaitMs(load.port, other, send));
      }),
    );
  }
  const what = [`${method} ${path}`, ...(input === undefined ? [] : [input])].join(', ');
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
