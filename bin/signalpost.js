#!/usr/bin/env node
// Plain JavaScript: it must start on a Node that is too old, in order to hand over to the one in node_modules.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const neededMajor = 24;
const isNewEnough = Number.parseInt(process.versions.node, 10) >= neededMajor;

if (isNewEnough) await runHere();
else runOnPinnedNode();

async function runHere() {
  silenceWarnings();
  // Compiled code is kept between starts; where the folder cannot be written, nothing is kept.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  const { run } = await import('../src/cli/cli.ts');
  process.exitCode = await run(process.argv.slice(2));
}

/** Early releases of Node 24 call the two features we build on experimental; every other warning is shown. */
function silenceWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    const isOurs = rest[0] === 'ExperimentalWarning' && /SQLite|Type Stripping/i.test(String(warning));
    if (!isOurs) emitWarning.call(process, warning, ...rest);
  };
}

function runOnPinnedNode() {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(node)) {
    console.error(
      `Signalpost needs Node ${neededMajor}, this is ${process.version}. Install the pinned one with: npm ci`,
    );
    process.exit(1);
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGUSR2']) {
    // Ctrl-C in a terminal reaches the child by itself.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
  }
  child.on('error', (error) => {
    console.error(`cannot run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
