import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { type LoadClients, startLoadClients } from './load-clients.ts';
import {
  firstLine,
  type Running,
  runJson,
  runSignalpost,
  type Serving,
  serveSignalpost,
  spawnSignalpost,
} from './signalpost-process.ts';

const credits = 2_000;
const manyCredits = 6_000;
const rateLimit = 50;
const plans = [
  { id: 'self-hosted', name: 'Self-hosted', pro: true, credits: 1_000_000_000, rate_limit: 1_000_000 },
  { id: 'counted', name: 'Counted', pro: true, credits, rate_limit: 1_000_000 },
  { id: 'many', name: 'Many', pro: true, credits: manyCredits, rate_limit: 1_000_000 },
  { id: 'limited', name: 'Limited', pro: true, credits: 1_000_000, rate_limit: rateLimit },
];

const skip = process.platform !== 'linux' && 'reads /proc';

describe('WORKERS=2 on the embedded database', { skip }, () => {
  let env: NodeJS.ProcessEnv;
  let server: Serving;
  before(async () => {
    const directory = temporaryDirectory();
    const plansFile = join(directory, 'plans.json');
    writeFileSync(plansFile, JSON.stringify(plans));
    env = { DATA_DIR: directory, PLANS_FILE: plansFile, WORKERS: '2', DRAIN_MS: '300' };
    server = await serveSignalpost(env);
    await untilAllListen(1);
  });
  const races: LoadClients[] = [];
  after(() => {
    // A failed test leaves clients that would send requests for ever and keep this process alive.
    for (const each of races) each.stop();
    return server.stop();
  });

  const untilAllListen = (times: number) =>
    until(() => server.stderr().split(/all workers are listening|replaced all workers/).length > times);
  const pids = () => childrenOf(server);
  const newKey = async (plan: string) => {
    const made = ['--name', 'Jane', '--email', 'jane@example.com', '--plan', plan];
    const { id } = await runJson<{ id: string }>(['accounts', 'create', ...made], env);
    const owner = ['--account', id, '--environment', 'production'];
    return (await runJson<{ key: string }>(['keys', 'create', ...owner], env)).key;
  };
  const race = (path: string, key: string, clients: number, last?: number) => {
    const started = startLoadClients({
      urls: [server.url],
      path,
      key,
      clients,
      ...(last === undefined ? {} : { until: last }),
    });
    races.push(started);
    return started;
  };
  const answered = (some: ReturnType<typeof race>, count: number) => until(() => some.count(200) >= count);

  it('WORKERS=2 prints its address and its keys once, as one process does [D248]', () => {
    assert.equal(server.stdout().trim().split('\n').length, 1);
    assert.equal(Object.keys(server.keys).length, 3);
    assert.equal(pids().length, 2);
  });

  it('WORKERS=2 prints a sign-in link for the console that works with any worker', async () => {
    const { console } = JSON.parse(server.stdout()) as { console: { sign_in_link: string } };
    const answer = await fetch(`${server.url}/console/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, connection: 'close' },
      body: JSON.stringify({ token: console.sign_in_link.split('#')[1] }),
    });
    assert.equal(answer.status, 200);
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    for (let count = 0; count < 10; count += 1) {
      const me = await fetch(`${server.url}/console/api/me`, { headers: { cookie, connection: 'close' } });
      assert.equal(me.status, 200);
    }
  });

  it('WORKERS=2 grants exactly the credits of a plan to concurrent clients', async () => {
    const clients = 40;
    const racing = race('/domain/example.com', await newKey('counted'), clients, 429);
    await racing.ended;
    assert.deepEqual(Object.fromEntries(racing.answers), { 200: credits, 429: clients });
  });

  it('WORKERS=2 shares one token bucket between the workers', async () => {
    const beganAt = performance.now();
    const racing = race('/status', await newKey('limited'), 8);
    await answered(racing, 3 * rateLimit);
    racing.stop();
    await racing.ended;
    const most = rateLimit * (1 + (performance.now() - beganAt) / 1_000);
    assert.ok(racing.count(200) <= most, `${racing.count(200)} of ${most}`);
    assert.deepEqual([...racing.answers.keys()].sort(), [200, 429]);
  });

  it('WORKERS=2 reports the diagnostics of both workers', async () => {
    const { processes } = (await (await fetch(`${server.url}/diagnostics`)).json()) as { processes: { pid: number }[] };
    assert.deepEqual(processes.map(({ pid }) => pid).sort(), pids().sort());
  });

  it('WORKERS=2 reports the metrics of both workers', async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    for (const worker of [0, 1])
      assert.match(text, new RegExp(`^signalpost_storage_up\\{worker="${worker}"\\} 1$`, 'm'));
    assert.equal(text.split('# TYPE signalpost_storage_up ').length, 2);
    assert.match(text, /^signalpost_stage_seconds_count\{worker="[01]",operation="getStatus",stage="queue"\} [1-9]/m);
  });

  it('a worker killed under load is replaced, and connections to the other worker are not affected', async (t) => {
    const [victim = 0] = pids();
    const racing = race('/domain/example.com', server.keys.production ?? '', 20);
    await answered(racing, 200);
    const cut = clientPorts(victim);
    process.kill(victim, 'SIGKILL');
    await until(() => pids().length === 2 && !pids().includes(victim));
    await answered(racing, racing.count(200) + 500);
    racing.stop();
    await racing.ended;
    assert.deepEqual(
      racing.unanswered.filter((port) => !cut.includes(port)),
      [],
    );
    assert.deepEqual(
      [...racing.answers.keys()].filter((status) => status !== 200 && status !== 0),
      [],
    );
    assert.match(server.stderr(), /a worker exited; another one is starting in its place/);
    await until(() => server.stderr().includes('a new worker replaced the one'));
    t.diagnostic(`replaced after ${/"afterMs":(\d+)/.exec(server.stderr())?.[1]} ms`);
  });

  it('the credits that a worker held when it was killed under load are released immediately: every credit is granted, and none twice', async () => {
    const key = await newKey('many');
    const clients = 20;
    const racing = race('/domain/example.com', key, clients, 429);
    await answered(racing, 500);
    process.kill(pids()[0] ?? 0, 'SIGKILL');
    await racing.ended;
    // Credits granted in its last half second were not counted, in the customer's favour.
    assert.ok(racing.count(200) >= manyCredits, `${racing.count(200)}`);
    assert.equal(await usedBy(server, key), manyCredits);
    await until(() => server.stderr().split('a new worker replaced the one').length > 2);
  });

  it('SIGHUP under load replaces every worker without a dropped request', async () => {
    const old = pids();
    const racing = race('/domain/example.com', server.keys.production ?? '', 20);
    await answered(racing, 200);
    server.child.kill('SIGHUP');
    await untilAllListen(2);
    await answered(racing, racing.count(200) + 200);
    racing.stop();
    await racing.ended;
    assert.deepEqual([...racing.answers.keys()], [200]);
    assert.equal(pids().filter((pid) => old.includes(pid)).length, 0);
    assert.equal(pids().length, 2);
  });

  it('SIGTERM to the whole process group stops the parent and its workers gracefully', async () => {
    const children = pids();
    const timesStopped = (text: string) => text.split('"stopped"').length;
    const before = timesStopped(server.stderr());
    const ending = server.stop();
    for (const pid of children) process.kill(pid, 'SIGTERM');
    const { code, stderr } = await ending;
    assert.equal(code, 0);
    assert.equal(timesStopped(stderr) - before, children.length, stderr);
    for (const pid of children) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });
});

describe('WORKERS=2 at start and stop', { skip }, () => {
  const environment = () => ({ DATA_DIR: temporaryDirectory(), WORKERS: '2', DRAIN_MS: '300' });

  it('WORKERS=2 says that its port is in use and exits with 1, as one process does', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const { code, stderr } = await runSignalpost(['serve'], { ...environment(), PORT });
    assert.match(stderr, new RegExp(`port ${PORT} on 127.0.0.1 is in use`));
    assert.equal(code, 1);
  });

  for (const [moment, reached] of [
    ['while its first worker starts', (running: Running) => until(() => childrenOf(running).length > 0)],
    ['when its first worker serves and the others do not yet', firstLine],
  ] as const) {
    it(`WORKERS=2 stops on a signal ${moment}`, async () => {
      const running = spawnSignalpost(['serve', '--json'], environment());
      await reached(running);
      running.child.kill('SIGTERM');
      const { code, stderr } = await running.finished;
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /in its place|did not start/);
    });
  }

  it('the workers of WORKERS=2 write all usage and exit when their parent is killed under load', async (t) => {
    const env = environment();
    const server = await serveSignalpost(env);
    t.after(() => server.stop());
    await until(() => server.stderr().includes('all workers are listening'));
    const racing = startLoadClients({
      urls: [server.url],
      path: '/domain/example.com',
      key: server.keys.production ?? '',
      clients: 8,
    });
    t.after(() => racing.stop());
    await until(() => racing.count(200) > 500);
    server.child.kill('SIGKILL');
    // Its output ends when its last worker exits.
    await server.finished;
    racing.stop();
    await racing.ended;
    const next = await serveSignalpost({ ...env, WORKERS: '1' });
    t.after(() => next.stop());
    assert.equal(await usedBy(next, server.keys.production ?? ''), racing.count(200));
  });
});

function childrenOf({ child: { pid } }: Running): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** The credits that a key's account has used this month. */
async function usedBy({ url }: Serving, key: string): Promise<number> {
  const answer = await fetch(`${url}/status`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { usage: { current: number } }).usage.current;
}

/** The ports of the clients that a process is connected to, from the kernel's tables. */
function clientPorts(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed since the folder was read.
        return [];
      }
    }),
  );
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => inodes.has(fields[9] ?? ''))
    .map((fields) => Number.parseInt(fields[2]?.split(':')[1] ?? '', 16));
}
