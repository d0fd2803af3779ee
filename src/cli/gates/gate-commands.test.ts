import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { jsonInProcess, runInProcess } from '../../../test/run-in-process.ts';
import { serveSignalpost } from '../../../test/signalpost-process.ts';

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly created_at?: string;
  readonly updated_at?: string;
}
interface Gate extends Rule {
  readonly rules: readonly Rule[];
}
interface Imported {
  readonly imported: number;
  readonly gates: readonly { readonly id: string; readonly id_kept: boolean }[];
}

describe('signalpost gates', () => {
  const env = { DATA_DIR: temporaryDirectory() };
  const elsewhere = { DATA_DIR: temporaryDirectory() };
  let account: string;
  before(async () => {
    const serving = await serveSignalpost(env);
    account = serving.account;
    const headers = { authorization: `Bearer ${serving.keys.production}`, 'content-type': 'application/json' };
    for (const name of ['first', 'second']) {
      const body = JSON.stringify({ name, default_action: 'challenge', description: 'ours' });
      assert.equal((await fetch(`${serving.url}/v1/gates`, { method: 'POST', headers, body })).status, 201);
    }
    await serving.stop();
  });
  const words = (what: string, owner: string, environment: string, ...more: string[]) => [
    'gates',
    what,
    '--account',
    owner,
    '--environment',
    environment,
    ...more,
  ];
  const exported = async (owner: string, environment: string, where: NodeJS.ProcessEnv = env) =>
    (await jsonInProcess<{ gates: Gate[] }>(words('export', owner, environment), where)).gates;
  const timeless = (gates: readonly Gate[]) =>
    gates.map((gate) => ({
      ...gate,
      created_at: undefined,
      updated_at: undefined,
      rules: gate.rules.map((rule) => ({ ...rule, created_at: undefined, updated_at: undefined })),
    }));

  it('signalpost gates import keeps an id in any case, and every call finds its gate, rules and decisions in any case', async () => {
    const own = { DATA_DIR: temporaryDirectory() };
    const serving = await serveSignalpost(own);
    try {
      const id = '01HZX3V8M5Q2R7T9W4Y6B8C0DE';
      const document = JSON.stringify({ gates: [{ id, name: 'moved' }] });
      const imported = () =>
        jsonInProcess<Imported>(words('import', serving.account, 'production'), own, document).then(
          ({ gates }) => gates[0],
        );
      assert.deepEqual(await imported(), { id: id.toLowerCase(), name: 'moved', id_kept: true });
      assert.equal((await imported())?.id_kept, false);
      const headers = { authorization: `Bearer ${serving.keys.production}`, 'content-type': 'application/json' };
      const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
        const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
        const answer = await fetch(`${serving.url}/v1/gates/${path}`, sent);
        assert.equal(answer.status, 200, `${method} ${path}`);
        const json = (await answer.json()) as T & { data?: T };
        return json.data ?? json;
      };
      const { meta } = await call<{ meta: { decision_id: string } }>('POST', `${id}/decisions`, {
        email: 'jane@example.com',
      });
      const [rule] = (await call<Gate>('GET', id)).rules;
      await call('GET', `${id}/rules/${rule?.id.toUpperCase()}`);
      await call('GET', `${id}/revisions`);
      await call('GET', `${id}/stats`);
      const found = await call<{ id: string }>('GET', `${id}/decisions/${meta.decision_id.toLowerCase()}`);
      assert.equal(found.id, meta.decision_id);
    } finally {
      await serving.stop();
    }
  });

  it('signalpost gates moves gates with their rules and ids to another machine [D272]', async () => {
    const file = join(temporaryDirectory(), 'gates.json');
    await jsonInProcess(words('export', account, 'production', file), env);
    const create = ['accounts', 'create', '--name', 'B', '--email', 'b@b.example', '--plan', 'self-hosted'];
    const { id } = await jsonInProcess<{ id: string }>(create, elsewhere);
    const { imported } = await jsonInProcess<Imported>(words('import', id, 'staging', file), elsewhere);
    assert.equal(imported, 3);
    const [there, here] = [await exported(id, 'staging', elsewhere), await exported(account, 'production')];
    assert.deepEqual(timeless(there), timeless(here));
    assert.ok((here[0]?.rules.length ?? 0) > 0);
  });

  it('signalpost gates gives new ids where the old ones are taken, so that a gate can be copied [D272]', async () => {
    const gates = await exported(account, 'production');
    const text = JSON.stringify({ gates });
    const { gates: copies } = await jsonInProcess<Imported>(words('import', account, 'development'), env, text);
    assert.deepEqual(
      copies.map(({ id_kept }) => id_kept),
      [false, false, false],
    );
    const idsOf = (some: readonly Gate[]) => some.flatMap((gate) => [gate.id, ...gate.rules.map(({ id }) => id)]);
    const [own, ...there] = await exported(account, 'development');
    assert.equal(own?.name, 'Sign-up');
    assert.deepEqual(there.map(({ name }) => name).sort(), gates.map(({ name }) => name).sort());
    assert.deepEqual(new Set(idsOf(there)).intersection(new Set(idsOf(gates))), new Set());
  });

  it('signalpost gates refuses a document with mistakes, names them, and imports nothing [D272]', async () => {
    const good = { name: 'good', rules: [] };
    const rule = {
      name: 'r',
      action: 'explode',
      conditions: [{ field: 'domain.mx', operator: 'equals', value: true }],
    };
    const cases: readonly [text: string, says: RegExp][] = [
      ['{', /not JSON/],
      ['{}', /gates: The gates field is required/],
      [JSON.stringify({ gates: [good, { name: 'bad', rules: [rule] }] }), /gates\.1\.rules\.0\.action/],
      [JSON.stringify({ gates: [{ ...good, colour: 'red' }] }), /gates\.0\.colour/],
      [JSON.stringify({ gates: Array(101).fill(good) }), /1 to 100 gates/],
      [JSON.stringify({ gates: Array(100).fill(good) }), /room for 98 more/],
    ];
    for (const [text, says] of cases) {
      const { code, stdout, stderr } = await runInProcess(words('import', account, 'production'), env, text);
      assert.deepEqual([code, stdout], [1, ''], text.slice(0, 80));
      assert.match(stderr, says);
      assert.match(stderr, /^signalpost: [^\n]+[Nn]othing was imported\n$/);
    }
    assert.equal((await exported(account, 'production')).length, 3);
  });

  it('signalpost gates create adds a gate with the preset or without rules, and list shows it beside the first', async () => {
    const create = (...more: string[]) => words('create', account, 'staging', ...more);
    const made = await jsonInProcess<Gate>(create('--name', 'Checkout'), env);
    const bare = create('--name', 'Bare', '--preset', 'none', '--default-action', 'block');
    assert.match((await runInProcess(bare, env)).stdout, /^Created gate \w{26} with 0 rules; POST \/v1\/gates\//);
    const listed = await jsonInProcess<(Gate & { rules_count: number; default_action: string })[]>(
      words('list', account, 'staging'),
      env,
    );
    assert.deepEqual(
      listed.map(({ name, rules_count, default_action }) => [name, rules_count, default_action]),
      [
        ['Bare', 0, 'block'],
        ['Checkout', 8, 'allow'],
        ['Sign-up', 8, 'allow'],
      ],
    );
    assert.equal(listed[1]?.id, made.id);
    const { code, stderr } = await runInProcess(create('--name', 'x', '--default-action', 'explode'), env);
    assert.equal(code, 1);
    assert.match(stderr, /^signalpost: default_action: .+Nothing was created\n$/);
  });
});
