import { fork } from 'node:child_process';
import { writeFileAtomic } from '../files/atomic-file.ts';
import { moduleBeside } from '../files/module-beside.ts';
import type { ListLog } from '../lists/snapshot/kept-snapshot.ts';
import { compileNetworks } from './networks-compile.ts';
import { encodeNetworks } from './networks-file.ts';

/** Compiles the networks of the package into a file. */
export function buildNetworks(path: string): void {
  writeFileAtomic(path, encodeNetworks(compileNetworks()));
}

/** The same in its own process: requests are still answered, and all its memory is freed when it ends. */
export async function buildNetworksInProcess(path: string, signal: AbortSignal, log: ListLog): Promise<void> {
  const startedMs = performance.now();
  await new Promise<void>((resolve, reject) => {
    const child = fork(moduleBeside(import.meta.url, 'networks-process'), { execArgv: [], signal });
    let failure = '';
    child.once('message', (reason) => {
      failure = `: ${String(reason)}`;
    });
    child.once('error', reject);
    child.once('exit', (code, ending) => {
      if (code === 0) resolve();
      else reject(new Error(`the build of networks ended with ${code ?? ending}${failure}`));
    });
    child.send(path);
  });
  log.info({ tookMs: Math.round(performance.now() - startedMs) }, 'IP data: networks compiled');
}
