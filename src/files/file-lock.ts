import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const retryMs = 20;
const tryCount = 250;
/** The work under a lock takes milliseconds: an older lock was left by a process that died. */
const staleMs = 10_000;

/** Runs `work` while this process alone holds `${path}.lock`, so that two commands at once lose nothing of each other. */
export async function withFileLock<T>(path: string, work: () => T): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  const lock = `${path}.lock`;
  for (let tries = 1; !takeLock(lock); tries += 1) {
    if (tries === tryCount) throw new Error(`${lock} is held by another process`);
    await sleep(retryMs);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const held = statSync(lock, { throwIfNoEntry: false });
  if (held !== undefined && Date.now() - held.mtimeMs > staleMs) rmSync(lock, { force: true });
  return false;
}
