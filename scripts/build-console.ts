// Builds the console and the files of the reference, and moves it to console/dist, so that a service that starts meanwhile sees the old build or the new one.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { builtGuides, builtTemplate } from '../src/reference/guides.ts';
import { consoleStamp, isConsoleBuilt } from './console-stamp.mjs';
import { renderGuides } from './render-guides.ts';
import { root } from './test-files.ts';
import { thirdPartyNotice } from './third-party-notice.ts';

const folder = join(root, 'console');

/** Builds the console unless its build is up to date. */
export async function buildConsole(): Promise<void> {
  if (isConsoleBuilt()) return;
  const stamp = consoleStamp();
  const beside = mkdtempSync(join(folder, '.building-'));
  try {
    const sources = [];
    for (const configFile of ['vite.config.ts', 'reference.config.ts', 'form.config.ts']) {
      const built = await build({
        configFile: join(folder, configFile),
        logLevel: 'warn',
        build: { outDir: beside, emptyOutDir: false },
      });
      sources.push(...sourcesOf(built));
    }
    writeFileSync(join(beside, 'licences.txt'), thirdPartyNotice(sources));
    renameSync(join(beside, 'reference.html'), join(beside, builtTemplate));
    for (const file of filesBelow(beside)) pack(file);
    writeFileSync(join(beside, builtGuides), JSON.stringify(renderGuides()));
    writeFileSync(join(beside, '.stamp'), `${stamp}\n`);
    // Files in the package or the image must be world-readable.
    chmodSync(beside, 0o755);
    putInPlace(beside);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** The modules and fonts that a build contains. */
function sourcesOf(built: Awaited<ReturnType<typeof build>>): string[] {
  return [built].flat().flatMap((one) => {
    if (!('output' in one)) throw new Error('Vite returned a watcher');
    return one.output.flatMap((part) =>
      part.type === 'chunk' ? part.moduleIds : part.originalFileNames.map((file) => resolve(folder, file)),
    );
  });
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Writes the compressed files that the service sends; fonts are compressed already. */
function pack(file: string): void {
  if (file.endsWith('.woff2')) return;
  const content = readFileSync(file);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: quality }));
}

function putInPlace(beside: string): void {
  const dist = join(folder, 'dist');
  const old = `${beside}-old`;
  try {
    renameSync(dist, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    renameSync(beside, dist);
  } catch (error) {
    // A concurrent start was faster, with the same result.
    if (!isConsoleBuilt()) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

if (import.meta.main) await buildConsole();
