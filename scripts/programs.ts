import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Debian package that brings each program the tests start. */
const packages = {
  initdb: 'postgresql',
  postgres: 'postgresql',
  'redis-server': 'redis-server',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  prlimit: 'util-linux',
  nginx: 'nginx-light',
  caddy: 'caddy',
  openssl: 'openssl',
  php: 'php-cli',
  python3: 'python3',
} as const;

/** A program that some test needs. */
export type Program = keyof typeof packages;

/** The browser without windows comes first: it takes half the CPU time. */
const browsers: readonly Program[] = ['chromium-headless-shell', 'chromium'];

/** Where Debian puts programs that an ordinary PATH does not lead to. */
const extraDirectories = ['/usr/lib/postgresql/*/bin', '/usr/sbin', '/sbin'];

/** The full path of a program, or null when this machine has none. */
function findProgram(program: Program): string | null {
  const directories = [
    ...(process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== ''),
    ...extraDirectories.flatMap((pattern) => globSync(pattern).sort().reverse()),
  ];
  return directories.map((directory) => join(directory, program)).find(isExecutable) ?? null;
}

/** The full path of a program, installed first where that is allowed; throws `MissingProgramError` where it is not. */
export function requireProgram(program: Program): string {
  const there = findProgram(program);
  if (there) return there;
  if (mayInstall()) install(packages[program]);
  const installed = findProgram(program);
  if (installed) return installed;
  throw new MissingProgramError(program);
}

/** The browser without windows, or the one with windows where only that is installed. */
export function requireBrowser(): string {
  return requireProgram(browsers.find(findProgram) ?? 'chromium-headless-shell');
}

/**
 * Installs the programs of a whole run before its tests start, where that is allowed. Test files that install at the same time
 * remove each other's downloads. The test that needs a package reports that it cannot be installed.
 */
export function installPrograms(): void {
  if (!mayInstall()) return;
  const programs = Object.keys(packages) as Program[];
  const missing = programs
    .filter((program) => !browsers.includes(program) && !findProgram(program))
    .map((program) => packages[program]);
  if (!browsers.some(findProgram)) missing.push(packages['chromium-headless-shell']);
  if (missing.length > 0) install(...new Set(missing));
  installHeadlessBrowser();
}

/**
 * Installs the browser without windows beside the one with windows, in the same version. Fails without effect: the tests then run
 * in the other one.
 */
function installHeadlessBrowser(): void {
  if (findProgram('chromium-headless-shell') || !findProgram('chromium')) return;
  const { stdout } = spawnSync('dpkg-query', ['--show', 'chromium-common'], { encoding: 'utf8' });
  const [, version] = stdout?.trim().split('\t') ?? [];
  if (version) aptGet('install', '--yes', '--no-install-recommends', `chromium-headless-shell=${version}`);
}

/** Names the missing package and the command that installs it. */
export class MissingProgramError extends Error {
  constructor(program: Program) {
    super(`${program} is missing; install it with: sudo apt-get install ${packages[program]}`);
    this.name = 'MissingProgramError';
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const mayInstall = (): boolean => process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get');

function install(...names: string[]): void {
  console.error(`Installing the Debian packages ${names.join(' ')} for the tests …`);
  if (!aptGet('update') && !aptGet('update')) return;
  aptGet('install', '--yes', '--no-install-recommends', ...names);
}

function aptGet(...parameters: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(
    '/usr/bin/apt-get',
    ['--quiet', '-o', 'DPkg::Lock::Timeout=300', ...parameters],
    {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    },
  );
  if (status !== 0) console.error(`apt-get ${parameters.join(' ')} failed:\n${stdout}${stderr}`);
  return status === 0;
}
