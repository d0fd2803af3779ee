import type { Author } from '../api/gate.ts';

/** Who made a change, as a name. */
export function authorName(author: Author | null | undefined): string {
  if (!author) return 'Somebody';
  if (author.kind === 'user') return author.name ?? 'A user who is gone';
  if (author.kind === 'key') return author.name === null ? 'A key' : `The key “${author.name}”`;
  return author.kind === 'command' ? 'The command line' : 'The service';
}
