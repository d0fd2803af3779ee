import { basename, join } from 'node:path';
import { type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { root } from './test-files.ts';

/** Modules that are started or imported by file name, so that each must be a separate file. */
const entries = [
  'src/cli/cli.ts',
  'src/cli/print-overview.ts',
  'src/library/open-signals.ts',
  'src/db/sqlite/checkpoint-thread.ts',
  'src/ip/networks-process.ts',
  'src/lists/refresh/refresh-process.ts',
  'src/lists/snapshot/build-process.ts',
];

/**
 * Packages that are not bundled: those imported on demand (PostgreSQL, Redis), and the public suffixes, which are third-party
 * data that we do not copy.
 */
const external = [/^node:/, 'ioredis', 'pg', 'tldts'];

const output: OutputOptions = {
  format: 'esm',
  // All in one folder: a module that runs in a separate process is next to the one that starts it.
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  sourcemap: true,
  // Names are kept for readable stack traces.
  minify: false,
};

/** Bundles src/ with its imports into chunks that are loaded on demand; returns the paths of all bundled modules. */
export async function bundle(folder: string): Promise<string[]> {
  const input = Object.fromEntries(entries.map((path) => [basename(path, '.ts'), join(root, path)]));
  await using build = await rolldown({
    cwd: root,
    input,
    external,
    // An entry that another imports is one file, not a second one that passes its exports on.
    preserveEntrySignatures: 'allow-extension',
    platform: 'node',
    // Node runs the syntax unchanged: nothing is rewritten for older engines.
    tsconfig: false,
    transform: { target: 'esnext' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`bundling produced a warning: ${log.message}`);
    },
  });
  const { output: files } = await build.write({ ...output, dir: folder });
  const chunks = files.filter((file): file is OutputChunk => file.type === 'chunk');
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}
