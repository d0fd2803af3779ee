import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireProgram } from './programs.ts';

/** A private server of a test run. */
export interface Service {
  readonly url: string;
  /** Its process, to be paused or killed by tests of faults. */
  readonly pid: number;
  /** A service that is not stopped stops when this process ends. */
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
/** The databases of a run take up to 3 GB; the tests need the rest. */
const neededMemory = 8e9;
/**
 * Outlives the process that started a service, and stops the service after it: its input ends when that process ends, even by
 * SIGKILL. The directory can be removed only when the service has stopped.
 */
const guard = `trap '' INT TERM; read -r _; kill -CONT "$0"; kill -INT "$0"
n=0; while kill -0 "$0" && [ $n -lt 100 ]; do sleep 0.1; n=$((n+1)); done
kill -KILL "$0"; rm -rf "$1"`;

/** Starts a PostgreSQL in a temporary directory, which is removed when it stops. */
export async function startPostgres(): Promise<Service> {
  const initdb = requireProgram('initdb');
  const postgres = requireProgram('postgres');
  const directory = mkdtempSync(join(inMemory() ?? tmpdir(), 'signalpost-postgres-'));
  const user = ordinaryUser();
  if (user) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const made = spawnSync(
    initdb,
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      encoding: 'utf8',
      cwd: directory,
      ...user,
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stdout}${made.stderr}`, { cause: made.error });
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${directory}`];
  const quickly = [
    'fsync=off',
    'full_page_writes=off',
    'max_connections=200',
    'shared_buffers=32MB',
    'autovacuum=off',
    'jit=off',
  ];
  const parameters = ['-D', data, ...[...settings, ...quickly].flatMap((setting) => ['-c', setting])];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return startService({ program: postgres, parameters, directory, user, url, stopSignal: 'SIGINT', ask: askPostgres });
}

/** Starts a Redis without persistence; on a given port when it replaces one that stopped. */
export async function startRedis(chosenPort?: number): Promise<Service> {
  const program = requireProgram('redis-server');
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-redis-'));
  const port = chosenPort ?? (await freePort());
  const parameters = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    directory,
  ];
  const url = `redis://127.0.0.1:${port}`;
  return startService({ program, parameters, directory, user: null, url, stopSignal: 'SIGTERM', ask: askPort });
}

/** A free port of the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

interface ServiceSettings {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly directory: string;
  readonly user: User | null;
  readonly url: string;
  readonly stopSignal: NodeJS.Signals;
  readonly ask: (url: string) => Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * A folder in memory; null where there is none with room for the databases of a whole run. Each database has hundreds of files,
 * and creating them takes a tenth of the CPU time there.
 */
function inMemory(): string | null {
  const folder = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, process.availableMemory()) > neededMemory ? folder : null;
  } catch {
    // Systems other than Linux have no such folder.
    return null;
  }
}

/** PostgreSQL refuses to run as root, so root starts it as its package's own user. */
function ordinaryUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const id = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function startService(settings: ServiceSettings): Promise<Service> {
  const { program, parameters, directory, user, url, stopSignal, ask } = settings;
  const log = join(directory, 'log');
  const output = openSync(log, 'w');
  const child = spawn(program, parameters, { cwd: directory, stdio: ['ignore', output, output], ...user });
  closeSync(output);
  child.unref();
  const guarding = startGuard(child, directory);
  const service: Service = {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.ref();
        child.kill(stopSignal);
        await once(child, 'exit');
      }
      guarding.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
  if (await answers(child, () => ask(url))) return service;
  const said = readFileSync(log, 'utf8');
  await service.stop();
  throw new Error(`${program} did not start: ${said}`);
}

function startGuard({ pid }: ChildProcess, directory: string): ChildProcess {
  // In its own process group, which a terminal's interrupt does not reach.
  const guarding = spawn('sh', ['-c', guard, `${pid}`, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guarding.unref();
  // A pipe to a child is a socket, which would keep this process alive.
  (guarding.stdin as Socket).unref();
  return guarding;
}

async function answers(child: ChildProcess, ask: () => Promise<void>): Promise<boolean> {
  for (
    const giveUpAt = Date.now() + startTimeoutMs;
    Date.now() < giveUpAt && child.exitCode === null;
    await sleep(50)
  ) {
    if (
      await ask().then(
        () => true,
        () => false,
      )
    ) {
      return true;
    }
  }
  return false;
}

async function askPostgres(url: string): Promise<void> {
  // Most test files load this module and no PostgreSQL client.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  await client.connect();
  await client.end();
}

async function askPort(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
