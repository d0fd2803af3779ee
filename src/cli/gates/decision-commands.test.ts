import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { jsonInProcess, runInProcess } from '../../../test/run-in-process.ts';
import { type Serving, serveSignalpost } from '../../../test/signalpost-process.ts';

interface Entry {
  readonly id: string;
  readonly environment: string;
  readonly gate_id: string;
  readonly input: { readonly email?: string; readonly ip?: string };
  readonly device: string | null;
  readonly outcome: string | null;
  readonly outcome_reason: string | null;
}

interface Traffic {
  readonly address: { readonly decisions_24h: number };
}

for (const mode of ['plain', 'hashed']) {
  describe(`signalpost decisions, with ${mode} addresses`, () => {
    const dataDir = temporaryDirectory();
    const env = { DATA_DIR: dataDir, DECISION_LOG_ADDRESSES: mode, DECISION_LOG_SECRET: 'kept-outside-the-database' };
    let serving: Serving;
    let other: string;
    let gateId: string;
    before(async () => {
      serving = await serveSignalpost(env);
      other = (
        await jsonInProcess<{ id: string }>(
          ['accounts', 'create', '--name', 'B', '--email', 'b@b.example', '--plan', 'free'],
          env,
        )
      ).id;
      for (const environment of ['production', 'staging']) {
        const headers = { authorization: `Bearer ${serving.keys[environment]}`, 'content-type': 'application/json' };
        const post = async (path: string, body: object) => {
          const answer = await fetch(serving.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
          assert.ok(answer.ok, `${path}: ${answer.status}`);
          return (await answer.json()) as { data: { id: string } };
        };
        const { data: gate } = await post('/v1/gates', { name: 'g' });
        if (environment === 'production') gateId = gate.id;
        const decide = (body: object) => post(`/v1/gates/${gate.id}/decisions`, body);
        await decide({ email: 'forget-me@example.com', ip: '203.0.113.7' });
        const reported = { email: 'forget-me@example.com', outcome: 'bad', reason: 'is forget-me@example.com' };
        const about = { email: 'joe@example.net', outcome: 'good', reason: 'knows forget-me@example.com' };
        await decide({ email: 'joe@example.com', ip: '203.0.113.7' });
        await decide({ email: 'joe@example.net', device: 'phone-4711' });
        await post('/v1/outcomes', { outcomes: [reported, about] });
      }
      await until(async () => (await exported('--domain', 'example.net')).length === 2);
    });
    after(() => serving.stop());

    const words = (what: string, ...subject: string[]) => ['decisions', what, '--account', serving.account, ...subject];
    const exported = async (...subject: string[]): Promise<Entry[]> => {
      const { code, stdout, stderr } = await runInProcess(words('export', ...subject), env);
      assert.equal(code, 0, stderr);
      return stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Entry);
    };

    /** As the running server counts them; one about to be made is included. */
    const decisionsAbout = async (email: string): Promise<number | undefined> => {
      const headers = { authorization: `Bearer ${serving.keys.production}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ email });
      const answer = await fetch(`${serving.url}/v1/gates/${gateId}/trace`, { method: 'POST', headers, body });
      // Traces are limited to ten a second.
      const { data } = (await answer.json()) as { data?: { signals: { traffic: Traffic } } };
      return data?.signals.traffic.address.decisions_24h;
    };

    it(`signalpost decisions, with ${mode} addresses, exports the logged decisions about a subject in every gate, one JSON document per line [D271 D443]`, async () => {
      const entries = await exported('--email', 'Forget-Me@Example.com');
      assert.deepEqual(
        entries.map(({ environment }) => environment),
        ['production', 'staging'],
      );
      if (mode === 'plain') assert.equal(entries[0]?.input.email, 'forget-me@example.com');
      assert.deepEqual(
        [entries[0]?.outcome, entries[0]?.outcome_reason],
        ['bad', 'is forget-me@example.com'],
        'the export shows the outcome',
      );
      assert.equal((await exported('--ip', '203.0.113.7')).length, 4);
      assert.equal((await exported('--domain', 'example.com')).length, 4);
      assert.equal((await exported('--email', 'missing@example.com')).length, 0);
      const [with_, without] = await Promise.all(
        [['--json'], []].map((more) => runInProcess([...words('export', '--domain', 'example.net'), ...more], env)),
      );
      assert.equal(with_?.stdout, without?.stdout);
    });

    it(`signalpost decisions, with ${mode} addresses, erases the logged decisions about a subject for good, and no others, beside a running server [D271 D445]`, async () => {
      assert.deepEqual(await jsonInProcess(words('erase', '--email', 'forget-me@example.com'), env), { erased: 2 });
      assert.deepEqual(await exported('--email', 'forget-me@example.com'), []);
      assert.equal((await exported('--domain', 'example.net'))[0]?.outcome_reason, 'knows [erased]');
      assert.equal((await exported('--domain', 'example.com')).length, 2);
      for (const name of readdirSync(dataDir).filter((file) => file.startsWith('signalpost.db'))) {
        assert.equal(readFileSync(join(dataDir, name)).includes('forget-me'), false, name);
      }
      await until(async () => (await decisionsAbout('forget-me@example.com')) === 1);
      await until(async () => (await decisionsAbout('joe@example.com')) === 2);
      const [entry] = await jsonInProcess<{ action: string; detail: object }[]>(['audit'], env);
      assert.deepEqual([entry?.action, entry?.detail], ['decisions.erased', { by: 'email', erased: 2 }]);
    });

    it(`signalpost decisions, with ${mode} addresses, exports and erases an address in every spelling of its mailbox [D271]`, async () => {
      const headers = { authorization: `Bearer ${serving.keys.production}`, 'content-type': 'application/json' };
      for (const email of ['spelled@example.org', 'spelled+shop@example.org', 'spelled.other@example.org']) {
        const body = JSON.stringify({ email });
        await fetch(`${serving.url}/v1/gates/${gateId}/decisions`, { method: 'POST', headers, body });
      }
      await until(async () => (await exported('--domain', 'example.org')).length === 3);
      assert.equal((await exported('--email', 'Spelled+else@example.org')).length, 2);
      assert.deepEqual(await jsonInProcess(words('erase', '--email', 'spelled@example.org'), env), { erased: 2 });
      assert.deepEqual(await exported('--email', 'spelled+shop@example.org'), []);
      assert.equal((await exported('--domain', 'example.org')).length, 1);
    });

    it(`signalpost decisions, with ${mode} addresses, exports and erases by the identifier of a device in every environment [D522]`, async () => {
      const entries = await exported('--device', 'phone-4711');
      assert.deepEqual(
        entries.map(({ environment, input }) => [environment, input.email !== undefined]),
        [
          ['production', true],
          ['staging', true],
        ],
      );
      assert.match(entries[0]?.device ?? '', /^[0-9a-f]{12}$/);
      assert.notEqual(entries[0]?.device, entries[1]?.device);
      assert.deepEqual(await jsonInProcess(words('erase', '--device', 'phone-4712'), env), { erased: 0 });
      const headers = { authorization: `Bearer ${serving.keys.production}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ domain: 'device.example', device: 'phone-0815' });
      await fetch(`${serving.url}/v1/gates/${gateId}/decisions`, { method: 'POST', headers, body });
      await until(async () => (await exported('--device', 'phone-0815')).length === 1);
      assert.deepEqual(await jsonInProcess(words('erase', '--device', 'phone-0815'), env), { erased: 1 });
      assert.deepEqual(await exported('--device', 'phone-0815'), []);
      assert.deepEqual(await exported('--domain', 'device.example'), []);
    });

    it(`signalpost decisions, with ${mode} addresses, erases a subject from the audit trail and earlier revisions, and names live rules that stay`, async () => {
      const headers = { authorization: `Bearer ${serving.keys.production}`, 'content-type': 'application/json' };
      const call = async (method: string, path: string, body: object) => {
        const answer = await fetch(serving.url + path, { method, headers, body: JSON.stringify(body) });
        assert.ok(answer.ok, `${path}: ${answer.status}`);
        return (await answer.json()) as { data: { id: string } };
      };
      const conditions = [{ field: 'domain.name', operator: 'equals', value: 'x.example' }];
      const rules = (name: string) => [{ name, action: 'block', conditions }];
      const { data: gate } = await call('POST', '/v1/gates', { name: 'h', rules: rules('Block erase.me@example.org') });
      const list = join(temporaryDirectory(), 'list.csv');
      writeFileSync(list, 'domain,reason\nlisted.example,because of erase.me@example.org\n');
      const target = ['--account', serving.account, '--environment', 'production'];
      await runInProcess(['blocklist', 'import', ...target, list], env);
      const erase = () => jsonInProcess<object>(words('erase', '--email', 'Erase.Me@example.org'), env);
      assert.deepEqual(await erase(), { erased: 0, still_named_by: [`gate ${gate.id} (h)`] });
      await call('PUT', `/v1/gates/${gate.id}/rules`, { rules: rules('Block a person') });
      assert.deepEqual(await erase(), { erased: 0 });
      const first = await fetch(`${serving.url}/v1/gates/${gate.id}/revisions/1`, { headers });
      assert.match(await first.text(), /"name":"Block \[erased\]"/);
      const audit = JSON.stringify(await jsonInProcess(['audit'], env));
      assert.match(audit, /Block \[erased\]/);
      for (const name of readdirSync(dataDir).filter((file) => file.startsWith('signalpost.db'))) {
        assert.equal(readFileSync(join(dataDir, name)).includes('erase.me'), false, name);
      }
    });

    it(`signalpost decisions, with ${mode} addresses, erases a subject from the rule names of statistics and stored deliveries`, async () => {
      const headers = { authorization: `Bearer ${serving.keys.production}`, 'content-type': 'application/json' };
      const call = async (method: string, path: string, body?: object) => {
        const answer = await fetch(`${serving.url}/v1/${path}`, { method, headers, body: JSON.stringify(body) });
        assert.ok(answer.ok, `${path}: ${answer.status}`);
        return answer.text();
      };
      const create = async (path: string, body: object) =>
        (JSON.parse(await call('POST', path, body)) as { data: { id: string } }).data.id;
      const conditions = [{ field: 'domain.name', operator: 'equals', value: 'x.example' }];
      const rules = [{ name: 'Block count.me@example.org', action: 'block', conditions }];
      const gate = await create('gates', { name: 'counted', rules });
      const hook = await create('webhooks', { url: 'https://hooks.example/', events: ['gate.decision'] });
      await call('POST', `gates/${gate}/decisions`, { email: 'joe@x.example' });
      const paths = [`webhooks/${hook}/deliveries`, `gates/${gate}/stats`];
      for (const path of paths) await until(async () => (await call('GET', path)).includes('count.me@'));
      await call('PUT', `gates/${gate}/rules`, { rules: [] });
      await runInProcess(words('erase', '--email', 'count.me@example.org'), env);
      for (const path of paths) assert.match(await call('GET', path), /"name":"Block \[erased\]"/, path);
    });

    it(`signalpost outcomes import, with ${mode} addresses, reports the outcomes of a file and names its wrong lines`, async () => {
      const owner = ['--account', serving.account, '--environment', 'staging'];
      const run = async (content: string | Buffer, ...more: string[]) => {
        writeFileSync(join(dataDir, 'outcomes.csv'), content);
        const line = ['outcomes', 'import', ...owner, ...more, join(dataDir, 'outcomes.csv'), '--json'];
        const { code, stdout, stderr } = await runInProcess(line, env);
        return { code, stderr, counts: stdout === '' ? null : (JSON.parse(stdout) as object) };
      };
      const joe = async () =>
        (await exported('--email', 'joe@example.net')).find(({ environment }) => environment === 'staging');
      const id = (await joe())?.id;
      const rows = [
        '\uFEFFName;E-Mail;Outcome;Reason',
        '"Joe; J.";Joe@example.net;BAD;"said ""no"""',
        ';x@example.net;good;',
      ];
      const tried = await run(rows.join('\r\n'), '--dry-run');
      assert.deepEqual([tried.code, tried.counts], [0, { lines: 2, matched: 1, decisions: 1, unmatched: 1, wrong: 0 }]);
      assert.notEqual((await joe())?.outcome, 'bad');
      const first = await run(rows.join('\r\n').replace('Outcome', 'Result'));
      assert.deepEqual([first.code, first.counts], [0, { lines: 2, matched: 1, decisions: 1, unmatched: 1, wrong: 0 }]);
      assert.deepEqual([(await joe())?.outcome, (await joe())?.outcome_reason], ['bad', 'said "no"']);
      const byId = await run(`${id}\nnonsense\n\n01K00000000000000000000000\n`, '--outcome', 'good');
      assert.deepEqual([byId.code, byId.counts], [1, { lines: 3, matched: 1, decisions: 1, unmatched: 1, wrong: 1 }]);
      assert.match(byId.stderr, /^line 2: this is neither an address nor a decision id$/m);
      assert.equal((await joe())?.outcome, 'good');
      const wrong = await run(`id,outcome,reason\n${id},ugly,\n${id},bad,${'x'.repeat(201)}\n`);
      assert.deepEqual(wrong.counts, { lines: 2, matched: 0, decisions: 0, unmatched: 0, wrong: 2 });
      for (const [content, ...more] of [
        ['name,phone\njoe,1\n', '--outcome', 'bad'],
        ['email\njoe@example.net\n'],
        ['email\njoe@example.net\n', '--outcome', 'ugly'],
        ['email\njoe@example.net\n', '--outcome', 'bad', '--column', 'mail'],
      ] as const) {
        assert.equal((await run(content, ...more)).code, 2, content);
      }
      assert.notEqual((await run(Buffer.from([0xff, 0x00, 0x81, 0x0a]), '--outcome', 'bad')).code, 0);
      assert.equal((await run('', '--outcome', 'bad')).code, 0);
      assert.equal((await run(`email\n"${'x'.repeat(1_100_000)}`, '--outcome', 'bad')).code, 1);
    });

    it(`signalpost decisions, with ${mode} addresses, reaches the log of no other account, and says what is wrong with a question [D271]`, async () => {
      assert.equal(
        (await runInProcess(['decisions', 'export', '--account', other, '--ip', '203.0.113.7'], env)).stdout,
        '',
      );
      const unknownAccount = await runInProcess(
        ['decisions', 'erase', '--account', 'nobody', '--ip', '203.0.113.7'],
        env,
      );
      assert.deepEqual([unknownAccount.code, unknownAccount.stderr], [1, 'signalpost: there is no account "nobody"\n']);
      for (const subject of [
        [],
        ['--ip', '1.2.3'],
        ['--email', 'x'],
        ['--device', ''],
        ['--ip', '192.0.2.1', '--domain', 'a.example'],
      ]) {
        assert.equal((await runInProcess(words('erase', ...subject), env)).code, 2, subject.join(' '));
      }
    });
  });
}
