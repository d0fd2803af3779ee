import { parseDomain } from '../address/domain.ts';
import type { Author } from '../http/endpoint.ts';
import type { Blocklist } from './blocklist.ts';
import type { DomainLine } from './domain-lines.ts';

/** Counts of the lines processed so far. */
export interface ImportCounts {
  readonly added: number;
  /** Already listed, or repeated from an earlier line. */
  readonly skipped: number;
  /** Skipped lines that changed the reason of their entry. */
  readonly changed: number;
  readonly wrong: number;
  /** Not added because the list is full. */
  readonly refused: number;
}

/** Receives the progress of an import. */
export interface ImportListener {
  onWrong(line: DomainLine): void;
  onProgress(counts: ImportCounts): void;
}

/** The limit of one bulk request, which is one transaction. */
const batchSize = 1_000;

/** Adds the domains of a file until the list holds `maxEntries`. After an interruption, repeating the import completes it. */
export async function importDomains(
  blocklist: Blocklist,
  author: Author,
  { lines, maxEntries }: { readonly lines: readonly DomainLine[]; readonly maxEntries: number },
  listener: ImportListener,
): Promise<ImportCounts> {
  const counts = { added: 0, skipped: 0, changed: 0, wrong: 0, refused: 0 };
  let batch: string[] = [];
  const reasons = new Map<string, string>();
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { added, refused, changed } = await blocklist.addMany(author, batch, maxEntries, reasons);
    const withoutRoom = refused.filter(({ reason }) => reason === 'blocklist_full').length;
    counts.added += added.length;
    counts.changed += changed;
    counts.refused += withoutRoom;
    counts.skipped += batch.length - added.length - withoutRoom;
    batch = [];
    reasons.clear();
    listener.onProgress({ ...counts });
  };
  for (const line of lines) {
    const domain = parseDomain(line.text);
    if (domain === null) {
      counts.wrong += 1;
      listener.onWrong(line);
      continue;
    }
    batch.push(domain.ascii);
    if (line.reason !== null) reasons.set(domain.ascii, line.reason);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  return counts;
}
