import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { jsonInProcess, runInProcess } from '../../../test/run-in-process.ts';
import { type Serving, serveSignalpost } from '../../../test/signalpost-process.ts';

const folder = temporaryDirectory();
const plansFile = join(folder, 'plans.json');
const settings = { DATA_DIR: folder, PLANS_FILE: plansFile };
const keys: Record<string, string> = {};
let server: Serving;

before(async () => {
  const plan = { name: 'A plan', pro: true };
  const plans = [
    { ...plan, id: 'self-hosted', credits: 1_000, rate_limit: 1_000 },
    { ...plan, id: 'slow', credits: 1_000, rate_limit: 5 },
    { ...plan, id: 'poor', credits: 20, rate_limit: 1_000 },
  ];
  writeFileSync(plansFile, JSON.stringify(plans));
  server = await serveSignalpost(settings);
  keys.rich = server.keys.production ?? '';
  for (const id of ['slow', 'poor']) {
    const words = ['--name', id, '--email', `${id}@example.com`, '--plan', id];
    const account = await jsonInProcess<{ id: string }>(['accounts', 'create', ...words], settings);
    const made = ['keys', 'create', '--account', account.id, '--environment', 'production'];
    keys[id] = (await jsonInProcess<{ key: string }>(made, settings)).key;
  }
});

after(() => server.stop());

/** A file of addresses, and the command that asks the server about them with the key of a plan. */
function order(addresses: readonly string[]) {
  const directory = temporaryDirectory();
  const [input, out] = [join(directory, 'in.csv'), join(directory, 'out.csv')];
  writeFileSync(input, `${['id,email', ...addresses.map((address, index) => `${index},${address}`)].join('\n')}\n`);
  const words = ['bulk', input, '--out', out, '--columns', 'disposable', '--url', server.url];
  const run = (key = '') => runInProcess(words, { DATA_DIR: directory, SIGNALPOST_KEY: key });
  return { input, out, run, words, rows: () => readFileSync(out, 'utf8').trimEnd().split('\n') };
}

async function creditsLeft(key = ''): Promise<unknown> {
  const answer = await fetch(`${server.url}/status`, { headers: { authorization: `Bearer ${key}` } });
  return answer.json();
}

test('bulk queries a server about the addresses of a file, and about nothing else', async () => {
  const { run, rows } = order(['joe@mailinator.com', 'no-address', 'jane@example.com']);
  const { code, stderr } = await run(keys.rich);
  assert.equal(code, 0, stderr);
  const expected = ['0,joe@mailinator.com,true,true', '1,no-address,false,', '2,jane@example.com,true,false'];
  assert.deepEqual(rows(), ['id,email,valid,disposable', ...expected]);
});

test('bulk sends no more requests per second than the plan of the key allows', async () => {
  const addresses = Array.from({ length: 25 }, (_, index) => `jane@firm${index}.com`);
  const { run, rows } = order(addresses);
  const { code, stderr } = await run(keys.slow);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    rows().slice(1),
    addresses.map((address, index) => `${index},${address},true,false`),
  );
});

test('bulk stops when the credits are used up, keeps the results and continues with another key', async () => {
  const addresses = Array.from({ length: 80 }, (_, index) => `jane@firm${Math.floor(index / 2)}.com`);
  const { out, run, rows } = order(addresses);
  const stopped = await run(keys.poor);
  assert.equal(stopped.code, 1);
  assert.match(stopped.stderr, /the credits of this key are used up; answers so far are written/);
  // Twenty credits: at most twenty addresses in a row, each of them on two lines; the server may take requests in any order.
  assert.ok(rows().length > 1 && rows().length <= 1 + 40, `${rows().length} lines`);
  const note = readFileSync(`${out}.progress`, 'utf8');
  assert.doesNotMatch(note, /firm|sp_|http/);
  const before = await creditsLeft(keys.rich);
  const resumed = await run(keys.rich);
  assert.equal(resumed.stdout, `80 lines written to ${out}\n`, resumed.stderr);
  assert.notDeepEqual(await creditsLeft(keys.rich), before);
  assert.deepEqual(
    rows().slice(1),
    addresses.map((address, index) => `${index},${address},true,false`),
  );
  assert.ok(!existsSync(`${out}.progress`));
});

test('bulk says that the server does not know its key', async () => {
  const { run } = order(['jane@example.com']);
  const { code, stderr } = await run('sp_not-a-key-of-this-server');
  assert.equal(code, 1);
  assert.match(stderr, /rejects this key/);
});

test('bulk with --url and no key is wrong usage, and so is a key without --url', async () => {
  const { words, input } = order([]);
  assert.match((await runInProcess(words, {})).stderr, /the key is missing/);
  assert.match((await runInProcess(['bulk', input, '--key', 'sp_x'], {})).stderr, /--key needs --url/);
});
