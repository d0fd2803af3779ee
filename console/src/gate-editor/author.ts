import type { Author } from '../api/gate.ts';

/** The name of a change's author. */
export function authorName(author: Author | null | undefined): string {
  if (!author) return 'Unknown';
  if (author.kind === 'user') return author.name ?? 'A deleted user';
  if (author.kind === 'key') return author.name === null ? 'A key' : `The key “${author.name}”`;
  return author.kind === 'command' ? 'The command line' : 'The service';
}
