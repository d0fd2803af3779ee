import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gateClient } from '../../test/gate-client.ts';
import { jsonInProcess, runInProcess } from '../../test/run-in-process.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { storeWave } from '../../test/stored-wave.ts';

interface Rule {
  readonly action: string;
  readonly conditions: readonly object[];
}

const waveId = '01k00000000000000000000000';

describe('signalpost waves', () => {
  let started: StartedApp;
  let owner: string[];
  let env: NodeJS.ProcessEnv;
  before(async () => {
    started = await startApp();
    owner = ['--account', started.first.id, '--environment', 'production'];
    env = { DATA_DIR: started.config.dataDir };
    const atMs = Date.UTC(2026, 10, 15);
    await storeWave(started, { id: waveId, began_at: atMs, last_at: atMs, created_at: atMs });
  });
  after(() => started.close());

  it('lists and shows waves, and records a verdict', async () => {
    const listed = await runInProcess(['waves', 'list', ...owner, '--state', 'open'], env);
    assert.match(listed.stdout, /wave\.example +9 +7 +2026-11-15T00:00:00\+00:00/);
    assert.deepEqual(await jsonInProcess(['waves', 'list', ...owner, '--state', 'ended'], env), []);
    const shown = await runInProcess(['waves', 'show', ...owner, waveId], env);
    const [sentence = '', about, rule] = shown.stdout.split('\n');
    assert.match(sentence, /^domain wave\.example: 9 addresses at 1 domain from 3 IP addresses since/);
    const json = await jsonInProcess<{ about: { text: string }; rule: Rule }>(['waves', 'show', ...owner, waveId], env);
    assert.equal(about, json.about.text);
    assert.equal(rule, 'Drafted rule: block if Registrable domain is wave.example');
    const { action, conditions } = json.rule;
    const condition = { field: 'domain.registrable', operator: 'equals', value: 'wave.example' };
    assert.deepEqual({ action, conditions }, { action: 'block', conditions: [condition] });
    const judged = await jsonInProcess<{ verdict: string }>(['waves', 'judge', ...owner, waveId, 'fine'], env);
    assert.equal(judged.verdict, 'fine');
    const cleared = await jsonInProcess<{ verdict: string | null }>(['waves', 'judge', ...owner, waveId, 'none'], env);
    assert.equal(cleared.verdict, null);
  });

  it('reports what became of the allowed decisions of a wave, and prints them as CSV', async () => {
    const reported = await runInProcess(['waves', 'outcome', ...owner, waveId, 'bad'], env);
    assert.equal(reported.stdout, 'decision_id,gate_id,email,ip,created_at,outcome\n');
    const json = await jsonInProcess(['waves', 'outcome', ...owner, waveId, 'bad'], env);
    assert.deepEqual(json, { reported: 0, decisions: [] });
    const undone = await runInProcess(['waves', 'outcome', ...owner, waveId, 'none'], env);
    assert.match(undone.stdout, /are removed/);
  });

  it('refuses an unknown wave, state and verdict', async () => {
    const missing = await runInProcess(['waves', 'show', ...owner, '01k00000000000000000000001'], env);
    assert.deepEqual([missing.code, /there is no wave/.test(missing.stderr)], [1, true]);
    for (const wrong of [
      ['list', ...owner, '--state', 'over'],
      ['judge', ...owner, waveId, 'harmless'],
    ]) {
      const { code, stderr } = await runInProcess(['waves', ...wrong], env);
      assert.deepEqual([code, /is one of/.test(stderr)], [2, true]);
    }
  });

  it('decisions erase --domain removes the waves named after the domain [D408]', async () => {
    const erase = ['decisions', 'erase', '--account', started.first.id, '--domain', 'wave.example'];
    assert.equal((await runInProcess(erase, env)).code, 0);
    assert.deepEqual(await jsonInProcess(['waves', 'list', ...owner], env), []);
  });

  it('decisions erase removes the waves named after an address, its domain or a device [D408]', async () => {
    const client = gateClient(started);
    const gate = await client.createGate();
    const named = async () => {
      await started.app.detectWaves();
      const { json } = await client.call<{ data: { kind: string; value: string }[] }>('GET', '/v1/waves');
      return json.data.map(({ kind, value }) => `${kind} ${value.slice(0, 8)}`).sort();
    };
    const spellings = (address: string) => Array.from({ length: 9 }, (_, index) => address.replace('@', `+${index}@`));
    for (const email of [...spellings('jane@gmail.com'), ...spellings('joe@fastmail.com')])
      await client.decide(gate.id, { email });
    for (let index = 0; index < 9; index += 1)
      await client.decide(gate.id, { email: `${'abcdefghi'.slice(index)}${index}@gmail.com`, device: 'one phone' });
    const [device = '', ...mailboxes] = await named();
    assert.deepEqual([device.split(' ')[0], mailboxes], ['device', ['mailbox jane@gma', 'mailbox joe@fast']]);
    const erase = (...subject: string[]) =>
      runInProcess(['decisions', 'erase', '--account', started.first.id, ...subject], env);
    assert.equal((await erase('--email', 'Jane+other@gmail.com')).code, 0);
    assert.deepEqual(await named(), [device, 'mailbox joe@fast']);
    assert.equal((await erase('--domain', 'fastmail.com')).code, 0);
    assert.deepEqual(await named(), [device]);
    assert.equal((await erase('--device', 'one phone')).code, 0);
    assert.deepEqual(await named(), []);
  });
});
