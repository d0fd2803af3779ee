// How long a change to a custom list takes to reach three instances on one PostgreSQL, each under decisions:
// `node bench/custom-lists-instances.ts [CHANGES]`.
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../test/engines.ts';
import { postgresUrl } from '../test/services.ts';
import { type Serving, serveSignalpost } from '../test/signalpost-process.ts';
import { median } from './time-per-call.ts';

const changes = Number(process.argv[2] ?? 40);
const entries = 100_000;
const batchSize = 1_000;

const DATABASE_URL = await postgresUrl();
// As on several machines: with different keys, every removal would make the others load the whole list again.
const SECRET_KEY = 'a-key-for-this-measurement-only-0123456789';
const settings = { DATABASE_URL, SECRET_KEY, LOG_LEVEL: 'error', ACCOUNT_CPU_PERCENT: '100' };
const serve = () => serveSignalpost({ ...settings, DATA_DIR: temporaryDirectory() });
const first = await serve();
const instances = [first, ...(await Promise.all([serve(), serve()]))];
const key = first.keys.production ?? '';

async function call<T>({ url }: Serving, method: string, path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const list = (await call<{ data: { id: string } }>(first, 'POST', '/v1/lists', { name: 'Long', kind: 'email' })).data;
const path = `/v1/lists/${list.id}/entries`;
for (let start = 0; start < entries - batchSize; start += batchSize) {
  const some = Array.from({ length: batchSize }, (_, index) => ({ value: `user${start + index}@example.com` }));
  await call(first, 'POST', path, { entries: some });
}
const conditions = [{ field: 'email.address', operator: 'in_list', value: list.id }];
const rules = [{ name: 'On the list', action: 'block', conditions }];
const gate = (await call<{ data: { id: string } }>(first, 'POST', '/v1/gates', { name: 'Gate', rules })).data;
const decide = async (instance: Serving, email: string): Promise<string> =>
  (await call<{ decision: { action: string } }>(instance, 'POST', `/v1/gates/${gate.id}/decisions`, { email })).decision
    .action;
for (const instance of instances) while ((await decide(instance, 'user0@example.com')) !== 'block') await sleep(50);

let isOver = false;
let decisions = 0;
const load = instances.flatMap((instance) =>
  Array.from({ length: 4 }, async () => {
    for (; !isOver; decisions += 1) await decide(instance, `user${decisions}@example.org`);
  }),
);
const delaysMs: number[] = [];
const startedMs = performance.now();
for (let change = 0; change < changes; change += 1) {
  const email = `change${change >> 1}@example.com`;
  const isAdded = change % 2 === 0;
  if (isAdded) await call(first, 'POST', path, { entries: [{ value: email }] });
  else await call(first, 'DELETE', path, { values: [email] });
  const acknowledgedMs = performance.now();
  await Promise.all(
    instances.map(async (instance) => {
      while ((await decide(instance, email)) !== (isAdded ? 'block' : 'allow')) await sleep(5);
      delaysMs.push(performance.now() - acknowledgedMs);
    }),
  );
}
const seconds = (performance.now() - startedMs) / 1_000;
isOver = true;
await Promise.all(load);
await Promise.all(instances.map((instance) => instance.stop()));
const ms = (value: number): string => `${Math.round(value)} ms`;
console.log(
  `${changes} changes to a list of ${entries} on three instances, ${Math.round(decisions / seconds)} decisions per second: ` +
    `visible after ${ms(median(delaysMs))} (median), ${ms(Math.max(...delaysMs))} (longest)`,
);
process.exit(0);
