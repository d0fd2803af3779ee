import { basename, join } from 'node:path';
import { type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { root } from './test-files.ts';

/** What is started or imported by its file name, so that each of them is a file of its own. */
const entries = [
  'src/cli/cli.ts',
  'src/library/open-signals.ts',
  'src/db/sqlite/checkpoint-thread.ts',
  'src/ip/networks-process.ts',
  'src/lists/refresh/refresh-process.ts',
  'src/lists/snapshot/build-process.ts',
];

/**
 * Stays where npm installs it: what is imported only when it is asked for (PostgreSQL, Redis), and the public suffixes,
 * which are data of others that we do not copy.
 */
const external = [/^node:/, 'ioredis', 'pg', 'tldts'];

const output: OutputOptions = {
  format: 'esm',
  // All in one folder: a module that is run in a process of its own is looked for beside the one that starts it.
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  sourcemap: true,
  // Names stay as they are written: stack traces are read by people.
  minify: false,
};

/** Bundles src/ with what it imports, in pieces that are loaded when they are needed; the paths of all modules in them. */
export async function bundle(folder: string): Promise<string[]> {
  const input = Object.fromEntries(entries.map((path) => [basename(path, '.ts'), join(root, path)]));
  await using build = await rolldown({
    cwd: root,
    input,
    external,
    platform: 'node',
    // Node runs the syntax as it is: nothing is rewritten for older engines.
    tsconfig: false,
    transform: { target: 'esnext' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle is not as it should be: ${log.message}`);
    },
  });
  const { output: files } = await build.write({ ...output, dir: folder });
  const chunks = files.filter((file): file is OutputChunk => file.type === 'chunk');
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}
