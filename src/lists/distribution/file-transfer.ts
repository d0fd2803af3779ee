import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDraft } from '../../files/atomic-file.ts';
import type { SharedFile, SharedFilesStore } from './shared-files-store.ts';

/** Large enough for few statements, small enough that each takes only milliseconds. */
const partBytes = 1_048_576;

/** Reads a file in parts. */
async function* partsOf(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  for (;;) {
    const part = new Uint8Array(partBytes);
    const { bytesRead } = await file.read(part, 0, partBytes);
    if (bytesRead === 0) return;
    yield part.subarray(0, bytesRead);
  }
}

/** Uploads a file of this machine to the database. A file that changes meanwhile is not published. */
export async function uploadFile(
  store: SharedFilesStore,
  path: string,
  about: Omit<SharedFile, 'sha256'>,
  now: () => number,
): Promise<void> {
  const sha256 = await hashOf(path);
  const again = createHash('sha256');
  let part = 0;
  for await (const bytes of partsOf(path)) {
    again.update(bytes);
    await store.addPart(sha256, part, bytes, now());
    part += 1;
  }
  if (again.digest('hex') !== sha256) throw new Error(`${path} changed while it was read`);
  await store.publish({ ...about, sha256 }, now());
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of partsOf(path)) hash.update(bytes);
  return hash.digest('hex');
}

/** Replaces a file of this machine by the uploaded one, atomically and only when it arrived undamaged. */
export async function downloadFile(store: SharedFilesStore, file: SharedFile, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await using draft = await openDraft(path);
  const hash = createHash('sha256');
  for (let part = 0, received = 0; received < file.size; part += 1) {
    const bytes = await store.part(file.sha256, part);
    if (bytes === null) throw new Error(`${file.name}: part ${part} is missing in the database`);
    hash.update(bytes);
    received += bytes.byteLength;
    await draft.append(bytes);
  }
  if (hash.digest('hex') !== file.sha256) throw new Error(`${file.name}: the content is not what was uploaded`);
  await draft.publish(file.modifiedAtMs);
}
