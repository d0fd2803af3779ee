import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openDatabase } from '../src/db/db.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually, until } from './eventually.ts';
import { shareSnapshot } from './shared-snapshot.ts';
import { firstLine, runJson, runSignalpost, serveSignalpost, spawnSignalpost } from './signalpost-process.ts';

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const usageOf = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { usage: { current: number } }).usage.current;
};

/** Starts the service, runs work with its address and what it printed, and stops it. */
async function startAndStop<T>(
  env: NodeJS.ProcessEnv,
  work: (address: string, printed: string) => Promise<T>,
): Promise<T> {
  const started = spawnSignalpost(['serve'], env);
  try {
    await eventually(async () => assert.match(started.stdout(), /The console is at \S+\/console\n/));
    const [, address = ''] = /listens on (\S+)/.exec(started.stdout()) ?? [];
    return await work(address, started.stdout());
  } finally {
    started.child.kill('SIGTERM');
    await started.finished;
  }
}

describe('the first start', () => {
  it('the first start prints an account, a key and a gate per environment and working commands; the second prints no secret [D28 D37 D233 D242]', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const first = spawnSignalpost(['serve'], env);
    await eventually(async () => assert.match(first.stdout(), /\/status\n/));
    const printed = first.stdout();
    assert.match(printed, /^Signalpost \S+ listens on http:\/\/127\.0\.0\.1:\d+$/m);
    for (const environment of ['production', 'staging', 'development']) {
      assert.match(printed, new RegExp(`^ +${environment} +sp_(prd|stg|dev)_[0-9A-Za-z]{28}$`, 'm'));
    }
    const [, key = '', url = ''] = /curl -H "Authorization: Bearer (\S+)" (\S+)/.exec(printed) ?? [];
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(answer.status, 200);
    const [, command = ''] = /^Decide a sign-up:\n +(curl .+)$/m.exec(printed) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const { decision } = JSON.parse(stdout) as { decision: { action: string; matched_rule: { name: string } } };
    assert.deepEqual([decision.action, decision.matched_rule.name], ['block', 'Disposable email']);
    if (process.platform === 'linux') {
      const settings = (file: string) => readFileSync(`/proc/${first.child.pid}/${file}`, 'utf8').split('\0');
      assert.ok(settings('cmdline').includes('--max-semi-space-size=16'), 'the young generation is not bounded');
      assert.ok(settings('cmdline').includes('--initial-old-space-size=96'), 'the whole heap is collected too often');
      assert.ok(settings('environ').some((one) => one.startsWith('MALLOC_TRIM_THRESHOLD_=')));
    }
    first.child.kill('SIGTERM');
    const { code, stderr } = await first.finished;
    assert.equal(code, 0);
    assert.ok(!stderr.includes('sp_'), 'a key is in the log');

    const second = spawnSignalpost(['serve'], env);
    await firstLine(second);
    second.child.kill('SIGTERM');
    const ended = await second.finished;
    assert.match(ended.stdout, /listens on/);
    assert.doesNotMatch(ended.stdout + ended.stderr, /sp_|Bearer/);
  });

  it('the first start with FIRST_KEYS_FILE writes keys and the link there, for its owner only, and prints the path [D708]', async () => {
    const dataDir = temporaryDirectory();
    const path = join(dataDir, 'first-keys');
    const env = { DATA_DIR: dataDir, FIRST_KEYS_FILE: path, FIRST_KEYS: 'staging:a-key-of-the-operator' };
    const url = await startAndStop(env, async (address, printed) => {
      assert.match(printed, new RegExp(`^Keys and the sign-in link that were made at this start are in ${path}$`, 'm'));
      assert.doesNotMatch(printed, /sp_|Bearer|a-key-of|[?#&]token|sign-in#/);
      assert.match(printed, new RegExp(`^A command that decides a sign-up is in ${path}$`, 'm'));
      assert.match(readFileSync(path, 'utf8'), /^# curl http\S+\/v1\/gates\/\w{26}\/decisions .*Bearer sp_prd_/m);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      const keys = Object.fromEntries(
        readFileSync(path, 'utf8')
          .split('\n')
          .map((line) => line.split(' ')),
      );
      assert.deepEqual(Object.keys(keys).sort(), ['', '#', 'development', 'production', 'sign-in']);
      for (const key of [keys.production, 'a-key-of-the-operator']) assert.equal(await usageOf(address, key), 0);
      return keys['sign-in'];
    });
    const first = readFileSync(path, 'utf8');
    await startAndStop(env, async () => {});
    const second = readFileSync(path, 'utf8');
    assert.equal(second.replace(/^sign-in .*$/m, ''), first.replace(/^sign-in .*$/m, ''));
    assert.ok(!second.includes(url ?? ''), 'the link of the first start is no longer valid and still in the file');
  });

  it('the first start on plans without Gates creates no gate and offers no decision', async () => {
    const dataDir = temporaryDirectory();
    const plansFile = join(dataDir, 'plans.json');
    writeFileSync(plansFile, '[{"id": "basic", "name": "Basic", "pro": false, "credits": 1000, "rate_limit": 10}]');
    await startAndStop({ DATA_DIR: dataDir, PLANS_FILE: plansFile }, async (address, printed) => {
      assert.doesNotMatch(printed, /gate|decisions/i);
      const [, key = ''] = /^ +production +(sp_prd_\w+)$/m.exec(printed) ?? [];
      assert.equal(await usageOf(address, key), 0);
    });
  });

  it('the first start with a FIRST_KEYS_FILE that cannot be written fails before it creates an account', async () => {
    const dataDir = temporaryDirectory();
    const started = spawnSignalpost(['serve'], { DATA_DIR: dataDir, FIRST_KEYS_FILE: '/proc/no/such/file' });
    const { code, stderr } = await started.finished;
    assert.equal(code, 1);
    assert.match(stderr, /FIRST_KEYS_FILE cannot be written/);
    assert.ok(!existsSync(join(dataDir, 'signalpost.db')));
  });

  it('a stop during the first start ends the service and the process that compiles networks', {
    skip: process.platform !== 'linux',
  }, async () => {
    const dataDir = temporaryDirectory();
    shareSnapshot(dataDir);
    rmSync(join(dataDir, 'lists', 'networks.bin'));
    const started = spawnSignalpost(['serve'], { DATA_DIR: dataDir });
    const children = () => readFileSync(`/proc/${started.child.pid}/task/${started.child.pid}/children`, 'utf8').trim();
    await eventually(async () => assert.notEqual(children(), ''));
    const child = children();
    started.child.kill('SIGTERM');
    assert.equal((await started.finished).code, 0);
    await eventually(async () =>
      assert.ok(!existsSync(`/proc/${child}`) || /\) Z /.test(readFileSync(`/proc/${child}/stat`, 'utf8'))),
    );
    assert.ok(!existsSync(join(dataDir, 'lists', 'networks.bin')), 'the networks were compiled after the stop');
  });

  it('the service starts where execve is missing or refused', async () => {
    for (const preload of ['delete process.execve', 'process.execve = () => { throw new Error("refused"); }']) {
      const env = {
        DATA_DIR: temporaryDirectory(),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
      };
      await startAndStop(env, async (address) => {
        assert.equal((await fetch(`${address}/healthz`)).status, 200);
      });
    }
  });

  it('the first start with HOST=0.0.0.0 reports on standard output and in the log that it listens on every address', async (t) => {
    const everywhere = spawnSignalpost(['serve'], { DATA_DIR: temporaryDirectory(), HOST: '0.0.0.0' });
    t.after(() => everywhere.child.kill('SIGKILL'));
    assert.match(await firstLine(everywhere), /listens on http:\/\/\S+:\d+, on every address of this machine$/);
    await eventually(async () => assert.match(everywhere.stderr(), /"listening on every address"/));
    everywhere.child.kill('SIGTERM');
    assert.equal((await everywhere.finished).code, 0);
  });

  it('keys and usage survive a restart', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const first = await serveSignalpost(env);
    const key = first.keys.production ?? '';
    const lookup = await fetch(`${first.url}/domain/example.com`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(lookup.status, 200);
    await first.stop();
    const second = await serveSignalpost(env);
    assert.equal(await usageOf(second.url, key), 1);
    await second.stop();
  });
});

describe('a start without Redis', () => {
  it('a start with Redis unavailable serves requests, and logs it once without the secret in the URL', async () => {
    const server = await serveSignalpost({
      DATA_DIR: temporaryDirectory(),
      REDIS_URL: 'redis://:a-secret@127.0.0.1:1',
    });
    await until(() => server.stderr().includes('Redis is unavailable'));
    assert.equal(await server.statusWith(server.keys.production ?? ''), 200);
    const { stderr } = await server.stop();
    assert.equal(stderr.split('Redis is unavailable').length, 2);
    assert.ok(!stderr.includes('a-secret'));
  });
});

describe('a failing start', () => {
  const refused = async (env: NodeJS.ProcessEnv) => {
    const { code, stdout, stderr } = await runSignalpost(['serve'], { LOG_LEVEL: 'silent', ...env });
    assert.deepEqual([code, stdout], [1, '']);
    return stderr;
  };

  it('a start with an invalid configuration lists every problem [D257]', async () => {
    const dataDir = join(temporaryDirectory(), 'not-made');
    const said = await refused({ PORT: 'http', OFFLINE: 'maybe', DATABASE_URL: 'mysql://x', DATA_DIR: dataDir });
    for (const name of ['PORT', 'OFFLINE', 'DATABASE_URL']) assert.match(said, new RegExp(`^ +- ${name} must be`, 'm'));
    assert.throws(() => statSync(dataDir), 'nothing is created before the configuration is valid');
  });

  it('a start on the embedded database of another service fails with a one-line message, until that process is killed', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const first = await serveSignalpost(env);
    assert.match(await refused(env), /^signalpost: another service runs on DATA_DIR [^\n]+ set WORKERS [^\n]+\n$/);
    assert.match(await refused({ ...env, WORKERS: '2' }), /^signalpost: another service runs on DATA_DIR /);
    assert.equal((await runJson<unknown[]>(['accounts', 'list'], env)).length, 1);
    await first.stop('SIGKILL');
    const second = await serveSignalpost(env);
    await second.stop();
  });

  it('a start on a port in use fails with a one-line message', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const said = await refused({ PORT: String(port), DATA_DIR: temporaryDirectory() });
    other.close();
    assert.match(said, new RegExp(`^signalpost: port ${port} on 127\\.0\\.0\\.1 is in use; [^\\n]+\\n$`));
  });

  it('a start with an unusable DATA_DIR fails with a one-line message [D245]', async () => {
    const file = join(temporaryDirectory(), 'a-file');
    writeFileSync(file, 'not a directory');
    for (const dataDir of [file, join(file, 'below')]) {
      assert.match(await refused({ DATA_DIR: dataDir }), /^signalpost: cannot write to DATA_DIR [^\n]+\n$/);
    }
  });

  it('a start with a truncated database fails with the reason and does not change the file [Q4]', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    await runJson(['accounts', 'list'], env);
    const file = join(env.DATA_DIR, 'signalpost.db');
    truncateSync(file, Math.floor(statSync(file).size / 2));
    const before = digest(file);
    assert.match(await refused(env), /^signalpost: cannot use the database \S+: it is truncated [^\n]+\n$/);
    assert.equal(digest(file), before);
  });

  it('a start with a database of a newer version fails with the reason and does not change the file [Q5]', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const db = await openDatabase({ url: null, dataDir: env.DATA_DIR });
    await db.write.insertInto('migrations').values({ id: '9999-from-the-future', applied_at: 0 }).execute();
    await db.close();
    const file = join(env.DATA_DIR, 'signalpost.db');
    const before = digest(file);
    assert.match(await refused(env), /^signalpost: [^\n]*newer version \(it has 9999-from-the-future\)[^\n]*\n$/);
    assert.equal(digest(file), before);
  });
});

describe('a stop by SIGTERM', () => {
  it('a stop by SIGTERM drops no request of clients with keep-alive connections, and exits with 0 [Q6]', async () => {
    const server = await serveSignalpost({ DATA_DIR: temporaryDirectory(), DRAIN_MS: '1000' });
    const agent = new Agent({ keepAlive: true });
    const headers = { authorization: `Bearer ${server.keys.production}` };
    let answered = 0;
    /** Sends requests on a keep-alive connection until the server asks to close it. */
    const client = async (): Promise<void> => {
      for (;;) {
        const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
        get(`${server.url}/status`, { agent, headers }, (answer) => {
          assert.equal(answer.statusCode, 200);
          answer.resume().on('end', () => resolve(answer.headers.connection));
        }).on('error', reject);
        if ((await promise) === 'close') return;
        answered += 1;
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await eventually(async () => assert.ok(answered > 200));
    server.child.kill('SIGTERM');
    await Promise.all(clients);
    agent.destroy();
    const { code, signal } = await server.finished;
    assert.deepEqual([code, signal], [0, null]);
  });

  it('a stop by SIGTERM resets no client that opens a connection per request until connections are refused [Q6]', async () => {
    const server = await serveSignalpost({ DATA_DIR: temporaryDirectory(), DRAIN_MS: '200' });
    const headers = { authorization: `Bearer ${server.keys.production}` };
    const outcomes: string[] = [];
    const ask = (): Promise<string> => {
      const { promise, resolve } = Promise.withResolvers<string>();
      get(`${server.url}/status`, { agent: false, headers }, (answer) => {
        answer.resume().on('end', () => resolve(String(answer.statusCode)));
        answer.on('error', ({ message }) => resolve(message));
      }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      return promise;
    };
    const client = async (): Promise<void> => {
      for (;;) {
        const outcome = await ask();
        if (outcome === 'ECONNREFUSED') return;
        outcomes.push(outcome);
      }
    };
    const clients = Array.from({ length: 50 }, client);
    await eventually(async () => assert.ok(outcomes.length > 100));
    server.child.kill('SIGTERM');
    await Promise.all(clients);
    assert.deepEqual([...new Set(outcomes)], ['200']);
    assert.equal((await server.finished).code, 0);
  });

  it('a second SIGTERM, as when a whole process group is signalled, does not change the stop', async () => {
    const server = await serveSignalpost({ DATA_DIR: temporaryDirectory(), DRAIN_MS: '1000' });
    server.child.kill('SIGTERM');
    await until(() => server.stderr().includes('"stopping"'));
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.finished;
    assert.equal(code, 0);
    assert.match(stderr, /"stopped"/);
  });

  it('Ctrl-C a second after SIGTERM ends the process immediately', async () => {
    const server = await serveSignalpost({ DATA_DIR: temporaryDirectory(), DRAIN_MS: '60000' });
    server.child.kill('SIGTERM');
    const again = setInterval(() => server.child.kill('SIGINT'), 1_100);
    const { code, stderr } = await server.finished;
    clearInterval(again);
    assert.equal(code, 1);
    assert.doesNotMatch(stderr, /"stopped"/);
  });

  it('SIGTERM and SIGINT without clients exit with 0', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await serveSignalpost({ DATA_DIR: temporaryDirectory() });
      assert.equal((await server.stop(signal)).code, 0);
    }
  });
});

describe('the bundle', () => {
  it('the bundle answers a path with an invalid percent sequence as the source does [D7]', async () => {
    const server = await serveSignalpost({ DATA_DIR: temporaryDirectory() });
    const headers = { authorization: `Bearer ${server.keys.production}` };
    const statuses = { '/domain/%zz': 400, '/email/a%ff': 400, '/blocklist/%': 404, '/v1/lists/%zz': 404, '/%zz': 404 };
    for (const [path, status] of Object.entries(statuses))
      assert.equal((await fetch(`${server.url}${path}`, { headers })).status, status, path);
    await server.stop();
  });
});

describe('kill -9', () => {
  it('every key that the command printed before its kill -9 works [Q3]', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const account = await runJson<{ id: string }>(
      ['accounts', 'create', '--name', 'Jane', '--email', 'jane@example.com', '--plan', 'self-hosted'],
      env,
    );
    const words = ['keys', 'create', '--account', account.id, '--environment', 'production', '--json'];
    const printed: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const makers = Array.from({ length: 3 }, () => spawnSignalpost(words, env));
      await Promise.race(makers.map(firstLine));
      // Kills every process at an arbitrary point of its work.
      for (const { child } of makers) child.kill('SIGKILL');
      for (const { stdout } of await Promise.all(makers.map((maker) => maker.finished))) {
        if (stdout.endsWith('}\n')) printed.push((JSON.parse(stdout) as { key: string }).key);
      }
    }
    const server = await serveSignalpost(env);
    assert.ok(printed.length >= 3);
    for (const key of printed) assert.equal(await server.statusWith(key), 200);
    await server.stop();
  });

  it('kill -9 of the service loses at most the credits since the last flush, and it can be restarted [Q2]', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const first = await serveSignalpost(env);
    const key = first.keys.production ?? '';
    const headers = { authorization: `Bearer ${key}` };
    const lookUp = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        assert.equal((await fetch(`${first.url}/domain/example.com`, { headers })).status, 200);
      }
    };
    await lookUp(20);
    const db = await openDatabase({ url: null, dataDir: env.DATA_DIR });
    const stored = async () => Number((await db.read.selectFrom('usage').select('used').executeTakeFirst())?.used ?? 0);
    await eventually(async () => assert.equal(await stored(), 20));
    await lookUp(5);
    await first.stop('SIGKILL');
    const kept = await stored();
    await db.close();
    assert.ok(kept >= 20 && kept <= 25, `${kept} of 25`);
    const second = await serveSignalpost(env);
    assert.equal(await usageOf(second.url, key), kept);
    await second.stop();
  });
});

describe('commands next to a running service', () => {
  it('commands create, import and revoke keys and change plans, and a running service applies it [D232]', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const server = await serveSignalpost(env);
    const owner = ['--account', server.account, '--environment', 'staging'];
    const made = await runJson<{ id: string; key: string }>(['keys', 'create', ...owner], env);
    assert.equal(await server.statusWith(made.key), 200);
    const imported = 'a-key-from-another-service';
    assert.equal(await server.statusWith(imported), 401);
    await runJson(['keys', 'import', ...owner], env, imported);
    await eventually(async () => assert.equal(await server.statusWith(imported), 200));
    await runJson(['keys', 'revoke', made.id], env);
    await eventually(async () => assert.equal(await server.statusWith(made.key), 401));
    await runJson(['accounts', 'set-plan', server.account, 'pro-1.5m'], env);
    await eventually(async () => {
      const answer = await fetch(`${server.url}/status`, { headers: { authorization: `Bearer ${imported}` } });
      const { account } = (await answer.json()) as { account: { plan: { name: string } } };
      assert.equal(account.plan.name, 'Pro 1.5M');
    });
    await server.stop();
  });

  it('backup of a running service writes a complete copy that opens, and no other file [D241]', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const server = await serveSignalpost(env);
    const restored = join(temporaryDirectory(), 'restored');
    mkdirSync(restored);
    const writing = (async () => {
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        const words = ['keys', 'create', '--account', server.account, '--environment', 'production'];
        ids.push((await runJson<{ id: string }>(words, env)).id);
      }
      return ids;
    })();
    await runJson(['backup', join(restored, 'signalpost.db')], env);
    await writing;
    await server.stop();
    assert.deepEqual(readdirSync(restored), ['signalpost.db']);
    const copy = await serveSignalpost({ DATA_DIR: restored });
    assert.equal(await copy.statusWith(server.keys.production ?? ''), 200);
    await copy.stop();
  });
});
