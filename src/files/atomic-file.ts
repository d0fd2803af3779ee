import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { syncPath } from './sync-path.ts';

/** Replaces a file atomically: after a crash it has the old content or the new, never a part of it. */
export function writeFileAtomic(path: string, content: Uint8Array | string): void {
  makeFolder(dirname(path));
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
  // Otherwise a power cut may undo the rename itself.
  syncPath(dirname(path));
}

/** The next content of a file, as it arrives. The caller disposes of it, which removes an unpublished draft. */
export interface FileDraft extends AsyncDisposable {
  append(chunk: Uint8Array | string): Promise<void>;
  /** Replaces the file atomically; `modifiedAtMs` is its modification time, now unless given. */
  publish(modifiedAtMs?: number): Promise<void>;
}

/** Replaces a file by content that arrives in chunks, without blocking the event loop. Its folder must exist. */
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
