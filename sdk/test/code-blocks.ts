import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A piece of TypeScript in a document. */
export interface CodeBlock {
  /** `docs/client.md, line 47` */
  readonly name: string;
  readonly source: string;
  /** The packages it imports besides the client. */
  readonly packages: readonly string[];
}

const root = join(import.meta.dirname, '../..');

/** Every block of TypeScript in a document. */
export function codeBlocks(document: string): CodeBlock[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(({ 1: source = '', index }) => ({
    name: `${document}, line ${text.slice(0, index).split('\n').length}`,
    source,
    packages: [...source.matchAll(/ from '([^']+)'/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('@signalpost/client')),
  }));
}

/** Lets the programs of a folder import packages of this repository. */
export function lendPackages(folder: string, packages: readonly string[]): void {
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
}

/** Writes blocks as modules of a folder; gives their file names. */
export function writeBlocks(folder: string, blocks: readonly CodeBlock[]): string[] {
  return blocks.map(({ source }, index) => {
    const file = `block-${index}.ts`;
    writeFileSync(join(folder, file), source);
    return file;
  });
}
