import { writeFileAtomic } from '../files/atomic-file.ts';
import { moduleBeside } from '../files/module-beside.ts';
import type { ListLog } from '../lists/snapshot/kept-snapshot.ts';
import { runInChild } from '../platform/child-process.ts';
import { compileNetworks } from './networks-compile.ts';
import { encodeNetworks } from './networks-file.ts';

/** Compiles the networks of the package into a file. */
export function buildNetworks(path: string): void {
  writeFileAtomic(path, encodeNetworks(compileNetworks()));
}

export async function buildNetworksInProcess(path: string, signal: AbortSignal, log: ListLog): Promise<void> {
  const startedMs = performance.now();
  await runInChild<void>(moduleBeside(import.meta.url, 'networks-process'), { path }, { signal });
  log.info({ tookMs: Math.round(performance.now() - startedMs) }, 'IP data: networks compiled');
}
