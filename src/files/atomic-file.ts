import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncPath } from './sync-path.ts';

/** Replaces a file in one step: after a crash the old content is there or the new, never a part of it. */
export function writeFileAtomic(path: string, content: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = draftPath(path);
  try {
    const file = openSync(temporary, 'wx');
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  // Else the rename itself may be undone by a power cut.
  syncPath(dirname(path));
}

/** The next content of a file, as it arrives. Whoever opened it disposes of it, which removes what was not published. */
export interface FileDraft extends AsyncDisposable {
  append(chunk: Uint8Array | string): Promise<void>;
  /** Replaces the file in one step; `modifiedAtMs` is the time it says it was changed, if not now. */
  publish(modifiedAtMs?: number): Promise<void>;
}

/** Replaces a file by content that comes in pieces, without holding up the process meanwhile. Its folder must be there. */
export async function openDraft(path: string): Promise<FileDraft> {
  const temporary = draftPath(path);
  const handle = await open(temporary, 'wx');
  return {
    append: (chunk) => handle.appendFile(chunk),
    async publish(modifiedAtMs) {
      if (modifiedAtMs !== undefined) await handle.utimes(modifiedAtMs / 1_000, modifiedAtMs / 1_000);
      await handle.sync();
      await rename(temporary, path);
      await using folder = await open(dirname(path));
      await folder.sync();
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}

function draftPath(path: string): string {
  return `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
}
