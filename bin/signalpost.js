#!/usr/bin/env node
// Plain JavaScript: it must start on a Node that is too old, in order to hand over to one in node_modules.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const neededMajor = 24;
const isNewEnough = Number.parseInt(process.versions.node, 10) >= neededMajor;
const root = fileURLToPath(new URL('..', import.meta.url));
// A checkout has the source; the package has it bundled, as Node strips no types under node_modules.
const isCheckout = existsSync(join(root, 'src'));

// The memory of a process that runs for long is bounded before it starts: V8 would let the young generation grow to 192 MB on a large machine, and glibc would
// keep as many freed blocks (docs/decisions/0041-bounded-process-memory.md). Settings of the operator have precedence.
// With a small heap, less than a young generation is left below the limit of the old one, and V8 collects the whole heap every second or two of load.
const serverFlags = ['--max-semi-space-size=16', '--initial-old-space-size=96'];
// A long run of `bulk` has little live data and makes much garbage: it is collected early, which costs a third more processor time.
const bulkFlags = ['--max-semi-space-size=4', '--optimize-for-size'];
const environment = { MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '1048576', ...process.env };
const memoryFlags = { serve: serverFlags, demo: serverFlags, bulk: bulkFlags }[process.argv[2] ?? ''];
const isBounded = `${process.execArgv} ${process.env.NODE_OPTIONS}`.includes('--max-semi-space-size');

// The overview of the commands needs none of them.
const entry = [undefined, '--help', '-h'].includes(process.argv[2]) ? 'print-overview' : 'cli';

// Loading the program would take longer than all the rest.
if (process.argv[2] === '--version') console.log(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
else if (!isNewEnough) await runOnNodeOf(nodePackage());
else if (memoryFlags && !isBounded && process.platform !== 'win32' && process.send === undefined)
  await restartBounded();
else await runHere();

async function runHere() {
  silenceWarnings();
  const { program, cache } = isCheckout
    ? await ofCheckout()
    : { program: join(root, 'dist', `${entry}.js`), cache: cacheFolder() };
  // Compiled code is kept between starts; where the folder cannot be written, nothing is kept.
  nodeModule.enableCompileCache?.(cache);
  const { runProcess } = await import(pathToFileURL(program).href);
  process.exitCode = await runProcess(process.argv.slice(2));
}

/** The bundle that `npm start` made, while it is what the source says; else the source as it is, and in tests always. */
async function ofCheckout() {
  const { freshBundle } = await import('../scripts/fresh-bundle.mjs');
  const bundle = process.env.SIGNALPOST_SOURCE === 'true' ? null : freshBundle();
  return bundle === null
    ? { program: join(root, 'src', 'cli', `${entry}.ts`), cache: cacheFolder() }
    : { program: join(bundle, `${entry}.js`), cache: join(bundle, 'compiled') };
}

/** In the node_modules that the command was installed with. */
function cacheFolder() {
  const parent = dirname(join(root, '.'));
  return basename(parent) === 'node_modules'
    ? join(parent, '.cache', 'signalpost')
    : join(root, 'node_modules', '.cache', 'compiled');
}

/** Releases of Node 24 call the features we build on experimental; every other warning is shown. */
function silenceWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    const isOurs = rest[0] === 'ExperimentalWarning' && /SQLite|Type Stripping|execve/i.test(String(warning));
    if (!isOurs) emitWarning.call(process, warning, ...rest);
  };
}

/** Replaces this process by one with the settings, under the same id; where that is missing or refused, starts a child with them. */
async function restartBounded() {
  silenceWarnings();
  const parameters = [...memoryFlags, ...process.execArgv, ...process.argv.slice(1)];
  try {
    process.execve(process.execPath, [process.execPath, ...parameters], environment);
  } catch {
    // A process that may not start another serves all the same, with more memory.
    if (!(await runChild(process.execPath, parameters))) await runHere();
  }
}

/** The program of the npm package `node` beside us; null when there is none that will do. */
function nodePackage() {
  const require = nodeModule.createRequire(import.meta.url);
  try {
    const manifest = require.resolve('node/package.json');
    const program = join(dirname(manifest), 'bin', 'node');
    const willDo = Number.parseInt(require(manifest).version, 10) >= neededMajor && existsSync(program);
    return willDo ? program : null;
  } catch {
    // It is not installed, which is what was asked.
    return null;
  }
}

async function runOnNodeOf(node) {
  if (node === null) {
    const remedy = isCheckout ? 'npm ci' : `npm install node@${neededMajor}`;
    console.error(
      `Signalpost needs Node ${neededMajor} or newer, this is ${process.version}. Install one, or one for this folder alone with: ${remedy}`,
    );
    process.exit(1);
  }
  if (!(await runChild(node, [...(memoryFlags ?? serverFlags), ...process.argv.slice(1)]))) {
    console.error(`cannot run ${node}`);
    process.exit(1);
  }
}

/** Runs a child in place of this process, which ends as the child does; false when it cannot be started. */
function runChild(program, parameters) {
  return new Promise((resolve) => {
    let child;
    try {
      child = spawn(program, parameters, { stdio: 'inherit', env: environment });
    } catch {
      // Refused by Node's permission model.
      resolve(false);
      return;
    }
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGUSR2']) {
      // Ctrl-C in a terminal reaches the child by itself.
      process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
    }
    child.on('error', () => resolve(false));
    child.on('exit', (code, signal) => {
      if (signal === null) process.exit(code ?? 1);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  });
}
