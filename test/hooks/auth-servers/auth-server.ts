import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../eventually.ts';

/** What a visitor sees after a sign-up. */
export interface SeenAnswer {
  readonly status: number;
  readonly message: string;
}

/** A real auth server that asks a hook. */
export interface AuthServer {
  signUp(email: string): Promise<SeenAnswer>;
  /** Where the server creates users without an address. */
  signUpAnonymously?(): Promise<SeenAnswer>;
  stop(): Promise<void>;
}

/** How a server is started against a hook. */
export interface AuthServerKind {
  /** The environment variable with the path of its program. */
  readonly variable: string;
  /** The secret that the server makes; otherwise the service makes it. */
  readonly secret?: string;
  /** How the server writes several secrets that are all valid, where it can. */
  readonly joinSecrets?: (secrets: readonly string[]) => string;
  start(program: string, hook: CalledHook): Promise<AuthServer>;
}

/** The hook that a server calls; with a null URL it calls none. */
export interface CalledHook {
  readonly url: string | null;
  readonly secret: string;
}

/** Starts a program and waits until a URL answers; its output is shown when it ends too early. */
export async function startProgram(
  program: string,
  parameters: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly readyUrl: string },
): Promise<ChildProcess> {
  const child = spawn(program, parameters, { cwd: options.cwd, env: { ...process.env, ...options.env } });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output.join('').slice(-2_000)}`);
    const { ok } = await fetch(options.readyUrl);
    if (!ok) throw new Error(`${options.readyUrl} is not ready: ${output.join('').slice(-500)}`);
  }, 60_000);
  return child;
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Runs a program to its end. */
export async function runProgram(program: string, parameters: readonly string[], env: NodeJS.ProcessEnv, cwd?: string) {
  const child = spawn(program, parameters, { cwd, env: { ...process.env, ...env } });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${parameters.join(' ')}: ${output.join('').slice(-2_000)}`);
}
