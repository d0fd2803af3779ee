import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../error-message.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { readRefreshSources } from './refresh-catalogue.ts';
import { type Installed, type RefreshResult, type RefreshSourceOptions, refreshSource } from './refresh-source.ts';
import { writeRefreshState } from './refresh-state.ts';

export interface RefreshOptions extends RefreshSourceOptions {
  readonly rdapBootstrapUrl: string;
  /** Rebuilds and installs the snapshot; rejects when the result is unusable. */
  readonly rebuild: () => Promise<unknown>;
  /** These sources, also when they are off; all that are on when left out. */
  readonly only?: ReadonlySet<string>;
  readonly onStart?: (source: string) => void;
  readonly onResult?: (result: RefreshResult) => void;
}

/**
 * Downloads newer editions of the lists, one after the other. Every file is replaced in one step and only by something
 * that passed its checks; when no snapshot can be built from them, its inputs are reverted.
 */
export async function refreshLists(options: RefreshOptions): Promise<RefreshResult[]> {
  const { dataDir, only } = options;
  const sources = readRefreshSources(dataDir, options.rdapBootstrapUrl).filter(
    (source) => only?.has(source.name) ?? source.enabled,
  );
  const workDir = makeWorkDir(join(dataDir, 'lists', 'refresh'), options.now());
  const results: RefreshResult[] = [];
  const installed: Installed[] = [];
  try {
    for (const source of sources) {
      options.onStart?.(source.name);
      const done = await refreshSource(source, workDir, options);
      if (done.installed !== null) installed.push(done.installed);
      results.push(done.result);
      options.onResult?.(done.result);
    }
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
  if (installed.length === 0) return results;
  try {
    await options.rebuild();
    return results;
  } catch (error) {
    const reason = `the lists cannot be built with it: ${errorMessage(error)}`;
    return revertInputs(results, installed, reason, options);
  }
}

/** Reverts to the last good editions. */
function revertInputs(
  results: readonly RefreshResult[],
  installed: readonly Installed[],
  problem: string,
  { dataDir, now, onResult }: RefreshOptions,
): RefreshResult[] {
  for (const { source, path, before, stateBefore } of installed) {
    if (before === null) rmSync(path, { force: true });
    else writeFileAtomic(path, before);
    // Without a stamp the next refresh downloads in full.
    writeRefreshState(dataDir, source, { ...stateBefore, checkedAtMs: now(), stamp: null, problem });
  }
  return results.map((result) => {
    const undone = installed.find(({ source }) => source === result.source);
    if (undone === undefined) return result;
    const { added: _added, removed: _removed, ...rest } = result;
    const refused = { ...rest, result: 'refused', count: undone.stateBefore.count, reason: problem } as const;
    onResult?.(refused);
    return refused;
  });
}

const dayMs = 86_400_000;

/** A folder for downloads in progress. Leftovers of a killed refresh are removed after a day. */
function makeWorkDir(folder: string, nowMs: number): string {
  makeFolder(folder);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('work-')) continue;
    const path = join(folder, name);
    const left = statSync(path, { throwIfNoEntry: false });
    if (left !== undefined && nowMs - left.mtimeMs > dayMs) rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, 'work-'));
}
