import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageRoot } from '../files/package-files.ts';
import type { ConsoleFile, ConsoleFiles } from '../http/session-api/console-pages.ts';

/** The built pages beside package.json, in a checkout, the package and the container. */
export const builtConsole = join(packageRoot, 'console', 'dist');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** A file name with a content hash, as the build creates them: `assets/index-B3xk_9Qz.js`. */
const hashedName = /^assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * The files of a folder, loaded into memory on the first request, so that no request path ever reaches the
 * disk. A missing folder is looked for again.
 */
export function createStaticFiles(folder: string): ConsoleFiles {
  let files: ReadonlyMap<string, ConsoleFile> | null = null;
  const loaded = (): ReadonlyMap<string, ConsoleFile> | null => {
    if (files === null && existsSync(join(folder, 'index.html'))) files = readFiles(folder);
    return files;
  };
  return {
    find: (path) => loaded()?.get(path) ?? null,
    page: () => loaded()?.get('index.html') ?? null,
  };
}

function readFiles(folder: string): Map<string, ConsoleFile> {
  // Only files with a known type are served: no stamp, and no compressed copy under its own name.
  const names = globSync('**/*', { cwd: folder }).filter((name) => types[extname(name)] !== undefined);
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), readFile(folder, name)]));
}

function readFile(folder: string, name: string): ConsoleFile {
  const path = join(folder, name);
  const plain = readFileSync(path);
  const packed = (ending: string): Buffer | null => (existsSync(path + ending) ? readFileSync(path + ending) : null);
  return {
    type: types[extname(name)] ?? '',
    cacheControl: hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzip: packed('.gz'),
    brotli: packed('.br'),
  };
}
