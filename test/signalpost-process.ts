import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { shareSnapshot } from './shared-snapshot.ts';

const program = fileURLToPath(new URL('../bin/signalpost.js', import.meta.url));

/** A finished process. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `signalpost` process. */
export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Its output and exit status, once it has ended. */
  readonly finished: Promise<Finished>;
}

/** Starts `signalpost` from its source, with an environment of its own: nothing of the surrounding one but the PATH. */
export function spawnSignalpost(words: readonly string[], env: NodeJS.ProcessEnv, stdin = ''): Running {
  if (env.DATA_DIR !== undefined) shareSnapshot(env.DATA_DIR);
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env.PATH,
      OFFLINE: 'true',
      LISTS_REFRESH: 'off',
      PORT: '0',
      // No load balancer has to notice a stop.
      DRAIN_MS: '50',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }
  // The process may exit before it reads its input.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const finished = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }));
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, finished };
}

/** Runs a command to its end. */
export function runSignalpost(words: readonly string[], env: NodeJS.ProcessEnv, stdin = ''): Promise<Finished> {
  return spawnSignalpost(words, env, stdin).finished;
}

/** Runs a command with `--json` that must succeed; returns its parsed output. */
export async function runJson<T>(words: readonly string[], env: NodeJS.ProcessEnv, stdin = ''): Promise<T> {
  const { code, stdout, stderr } = await runSignalpost([...words, '--json'], env, stdin);
  if (code !== 0) throw new Error(`signalpost ${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** A service that listens in a separate process. */
export interface Serving extends Running {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly account: string;
  statusWith(key: string): Promise<number>;
  /** Calls the API with the production key; an error response fails the test. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** Ends it with a signal and waits for its exit. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** Starts `signalpost serve` and waits until it listens; rejects with its output when it exits before. */
export async function serveSignalpost(env: NodeJS.ProcessEnv): Promise<Serving> {
  const running = spawnSignalpost(['serve', '--json'], env);
  const started = await firstLine(running);
  const { address, account, keys } = JSON.parse(started) as {
    address: string;
    account: string;
    keys: { environment: string; key: string }[];
  };
  return {
    ...running,
    url: address,
    account,
    keys: Object.fromEntries(keys.map(({ environment, key }) => [environment, key])),
    async statusWith(key) {
      const { status } = await fetch(`${address}/status`, { headers: { authorization: `Bearer ${key}` } });
      return status;
    },
    async call<T>(method: string, path: string, body?: object) {
      const key = keys.find(({ environment }) => environment === 'production')?.key;
      const response = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(response.ok, `${path}: ${response.status}`);
      return (await response.json()) as T;
    },
    stop(signal = 'SIGTERM') {
      running.child.kill(signal);
      return running.finished;
    },
  };
}

/** Less than a test may take, and more than a start takes on a busy machine. */
const startTimeoutMs = 280_000;

/** The first line of a process's output. */
export async function firstLine(running: Running): Promise<string> {
  const signal = AbortSignal.timeout(startTimeoutMs);
  // A process that never starts would keep the test's process alive.
  signal.addEventListener('abort', () => running.stdout().includes('\n') || running.child.kill('SIGKILL'));
  while (!running.stdout().includes('\n')) {
    const ended = await Promise.race([
      running.finished,
      once(running.child.stdout ?? running.child, 'data', { signal }).then(() => null),
    ]);
    if (ended !== null && !ended.stdout.includes('\n')) throw new Error(`it ended (${ended.code}): ${ended.stderr}`);
  }
  return running.stdout().split('\n')[0] ?? '';
}
