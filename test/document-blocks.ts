import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A code block in a document. */
export interface Block {
  /** `docs/errors.md:17` */
  readonly place: string;
  readonly language: string;
  readonly source: string;
  /** Why it cannot run here: the text of `<!-- not run: … -->` on the line before. */
  readonly notRun: string | null;
}

const root = join(import.meta.dirname, '..');

/** The documents for users and operators. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Every code block of a document that names its language. */
export function blocksOf(document: string): Block[] {
  const text = readFileSync(join(root, document), 'utf8');
  const fenced = /^(?:<!-- not run: (.+) -->\n)?( *)```(\w+)\n([\s\S]*?)^\2```$/gm;
  return [...text.matchAll(fenced)].map(({ 0: whole, 1: reason, 3: language = '', 4: source = '', index }) => {
    const fence = index + whole.indexOf('```');
    const line = text.slice(0, fence).split('\n').length;
    return { place: `${document}:${line}`, language, source, notRun: reason ?? null };
  });
}
