import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { until } from '../../test/eventually.ts';
import { jsonInProcess, runInProcess } from '../../test/run-in-process.ts';
import { serveSignalpost, spawnSignalpost } from '../../test/signalpost-process.ts';
import { type Blocklist, createBlocklist } from '../blocklist/blocklist.ts';
import { createBlocklistStore } from '../blocklist/blocklist-store.ts';
import { type Db, openDatabase } from '../db/db.ts';
import type { Environment } from '../http/endpoint.ts';

interface Imported {
  readonly added: number;
  readonly skipped: number;
  readonly wrong: number;
  readonly refused: number;
  readonly wrong_lines: readonly { readonly line: number; readonly text: string }[];
}
interface Exported {
  readonly exported: number;
  readonly domains: readonly {
    readonly domain: string;
    readonly unicode_domain?: string;
    readonly created_at: string;
  }[];
}

const dataDir = temporaryDirectory();
const env = { DATA_DIR: dataDir };
const create = ['accounts', 'create', '--name', 'Jane', '--email', 'jane@example.com', '--plan', 'self-hosted'];

describe('signalpost blocklist', () => {
  let account: string;
  let db: Db;
  let blocklist: Blocklist;
  before(async () => {
    ({ id: account } = await jsonInProcess<{ id: string }>(create, env));
    db = await openDatabase({ url: null, dataDir });
    blocklist = createBlocklist(createBlocklistStore(db), { changedHere: () => {} }, Date.now);
  });
  after(() => db.close());
  const owner = (environment: string) => ['--account', account, '--environment', environment];
  const imports = (environment: string, text: string) =>
    jsonInProcess<Imported>(['blocklist', 'import', ...owner(environment)], env, text);
  const listed = async (environment: Environment): Promise<string[]> => {
    const domains: string[] = [];
    for await (const { domain } of blocklist.all({ accountId: account, environment })) domains.push(domain);
    return domains;
  };

  it('signalpost blocklist imports lines of standard input, names the wrong ones, and loses nothing else', async () => {
    const { code, stdout, stderr } = await runInProcess(
      ['blocklist', 'import', ...owner('production')],
      env,
      'A.example\n\nnot a domain\nmünchen.example\na.example\nhttp://b.example\nb.example\n',
    );
    assert.deepEqual([code, stdout], [1, '3 added, 1 already listed, 2 wrong\n']);
    assert.equal(
      // On a slow machine there are lines of progress.
      stderr.replace(/^.* so far\n/gm, ''),
      'line 3: "not a domain" is not a domain name\nline 6: "http://b.example" is not a domain name\n' +
        'signalpost: lines without a domain name: 2\n',
    );
    assert.deepEqual(await listed('production'), ['a.example', 'xn--mnchen-3ya.example', 'b.example']);
    assert.deepEqual(await listed('staging'), []);
  });

  it('signalpost blocklist imports again what is there without adding it twice', async () => {
    assert.deepEqual(await imports('staging', 'a.example\nb.example\n'), {
      added: 2,
      skipped: 0,
      changed: 0,
      wrong: 0,
      refused: 0,
      wrong_lines: [],
    });
    const again = ['blocklist', 'import', ...owner('staging'), '--json'];
    const { code, stdout } = await runInProcess(again, env, '# ours\na.example\nb.example\nc.example # new\nx y\n');
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(stdout), {
      added: 1,
      skipped: 2,
      changed: 0,
      wrong: 1,
      refused: 0,
      wrong_lines: [{ line: 5, text: 'x y' }],
    });
  });

  it('signalpost blocklist keeps the reasons of a CSV file in an export', async () => {
    const file = join(temporaryDirectory(), 'reasons.csv');
    writeFileSync(file, 'domain,reason\nreason.example,"Spam, ""again"""\n');
    const { id } = await jsonInProcess<{ id: string }>(create, env);
    const target = ['--account', id, '--environment', 'production'];
    await jsonInProcess<Imported>(['blocklist', 'import', ...target, file], env);
    await jsonInProcess(['blocklist', 'export', ...target, '--csv', file], env);
    assert.match(readFileSync(file, 'utf8'), /\nreason\.example,,[^,]+,"Spam, ""again"""\n$/);
  });

  it('signalpost blocklist import counts the listed domains to which it gave a new reason', async () => {
    const { id } = await jsonInProcess<{ id: string }>(create, env);
    const words = ['blocklist', 'import', '--account', id, '--environment', 'production'];
    await runInProcess(words, env, 'domain,reason\na.example,Spam\nb.example,Spam\n');
    const { stdout } = await runInProcess(words, env, 'domain,reason\na.example,Fraud\nb.example,Spam\n');
    assert.equal(stdout, '0 added, 2 already listed (1 with a new reason), 0 wrong\n');
  });

  it('signalpost blocklist exports to a file what an import of it restores, in the same order', async () => {
    for (const format of [[], ['--csv']]) {
      const file = join(temporaryDirectory(), 'list');
      const { exported: count } = await jsonInProcess<{ exported: number }>(
        ['blocklist', 'export', ...owner('production'), ...format, file],
        env,
      );
      assert.equal(count, 3);
      if (format.length > 0) {
        assert.match(
          readFileSync(file, 'utf8'),
          /^domain,unicode_domain,created_at,reason\na\.example,,\d{4}-\d\d-\d\dT/,
        );
      }
      const other = await jsonInProcess<{ id: string }>(create, env);
      const target = ['--account', other.id, '--environment', 'development'];
      const { added } = await jsonInProcess<Imported>(['blocklist', 'import', ...target, file], env);
      assert.equal(added, 3);
      const { domains } = await jsonInProcess<Exported>(['blocklist', 'export', ...target], env);
      assert.deepEqual(
        domains.map(({ domain }) => domain),
        ['a.example', 'xn--mnchen-3ya.example', 'b.example'],
      );
      assert.equal(domains[1]?.unicode_domain, 'münchen.example');
    }
  });

  it('signalpost blocklist exports to standard output, one domain per line', async () => {
    const { code, stdout } = await runInProcess(['blocklist', 'export', ...owner('production')], env);
    assert.deepEqual([code, stdout], [0, 'a.example\nxn--mnchen-3ya.example\nb.example\n']);
  });

  it('signalpost blocklist ends quietly when the reader of the export has seen enough', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `entry-${index}.example`).join('\n');
    const other = await jsonInProcess<{ id: string }>(create, env);
    const target = ['--account', other.id, '--environment', 'staging'];
    await jsonInProcess(['blocklist', 'import', ...target], env, many);
    const exporting = spawnSignalpost(['blocklist', 'export', ...target], env);
    exporting.child.stdout?.once('data', () => exporting.child.stdout?.destroy());
    const { code, stderr } = await exporting.finished;
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('signalpost blocklist completes an import that was killed when it is run again', async () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `d${index}.example`);
    const folder = temporaryDirectory();
    const file = join(folder, 'large');
    writeFileSync(file, all.join('\n'));
    const words = ['blocklist', 'import', ...owner('development'), file];
    const running = spawnSignalpost(words, env);
    await until(async () => (await listed('development')).length > 0);
    running.child.kill('SIGKILL');
    await running.finished;
    const kept = await listed('development');
    assert.equal(kept.length % 1_000, 0);
    assert.deepEqual(kept, all.slice(0, kept.length));
    const { added, skipped } = await jsonInProcess<Imported>(words, env);
    assert.deepEqual([added + skipped, skipped], [all.length, kept.length]);
    assert.deepEqual(await listed('development'), all);
  });

  it('signalpost blocklist import changes nothing if the file cannot be read to its end', async () => {
    const before = await listed('staging');
    const file = `domain;reason\nnew.example;"two\nlines"\n${'x.example;\n'.repeat(2_000)}y.example;"open`;
    const { code, stderr } = await runInProcess(['blocklist', 'import', ...owner('staging')], env, file);
    assert.equal(code, 1);
    assert.match(stderr, /line 2004, column 11: the quote that opens here is never closed/);
    assert.deepEqual(await listed('staging'), before);
  });

  it('signalpost blocklist adds as many as the plan has room for, and reports how many it skipped [Q64]', async () => {
    const small = { id: 'small', name: 'Small', pro: true, credits: 1, rate_limit: 1, blocklist_entries: 2 };
    const plans = join(temporaryDirectory(), 'plans.json');
    writeFileSync(plans, JSON.stringify([small]));
    const own = { DATA_DIR: temporaryDirectory(), PLANS_FILE: plans };
    const { id } = await jsonInProcess<{ id: string }>([...create.slice(0, -1), 'small'], own);
    const words = ['blocklist', 'import', '--account', id, '--environment', 'production'];
    const { code, stdout, stderr } = await runInProcess(words, own, 'a.example\nb.example\nc.example\nd.example\n');
    assert.deepEqual([code, stdout], [1, '2 added, 0 already listed, 0 wrong, 2 without room\n']);
    assert.match(stderr, /the blocklist is full: the plan allows at most 2 domains; 2 were not added/);
    const exported = await jsonInProcess<Exported>(['blocklist', 'export', ...words.slice(2)], own);
    assert.deepEqual(
      exported.domains.map(({ domain }) => domain),
      ['a.example', 'b.example'],
    );
  });

  it('signalpost blocklist reaches a running server without a restart', async () => {
    const own = { DATA_DIR: temporaryDirectory() };
    const serving = await serveSignalpost(own);
    try {
      const key = serving.keys.production ?? '';
      const blocklisted = async () => {
        const answer = await fetch(`${serving.url}/domain/spam.example`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return ((await answer.json()) as { blocklisted: boolean }).blocklisted;
      };
      assert.equal(await blocklisted(), false);
      const target = ['--account', serving.account, '--environment', 'production'];
      await jsonInProcess<Imported>(['blocklist', 'import', ...target], own, 'spam.example\n');
      await until(blocklisted);
    } finally {
      await serving.stop();
    }
  });

  it('signalpost blocklist exits with 1 and a reason when it cannot work, and with 2 when it is used wrongly', async () => {
    const unknownAccount = ['--account', 'nobody', '--environment', 'production'];
    const cases: readonly [words: string[], code: number, reason: RegExp, stdin?: string][] = [
      [['import', ...unknownAccount], 1, /there is no account "nobody"/],
      [['export', ...unknownAccount], 1, /there is no account "nobody"/],
      [['import', ...owner('production'), '/nonexistent/file'], 1, /no such file/],
      [['import', ...owner('production')], 1, /no line holds a domain name/, 'x y\n'],
      [['import', ...owner('elsewhere')], 2, /--environment is one of/],
      [['import', '--environment', 'production'], 2, /--account is missing/],
      [['export', '--account', account], 2, /--environment is missing/],
    ];
    await Promise.all(
      cases.map(async ([words, code, reason, stdin]) => {
        const ended = await runInProcess(['blocklist', ...words], env, stdin);
        assert.equal(ended.code, code, words.join(' '));
        assert.match(ended.stderr, reason);
      }),
    );
  });
});
