import type { MxRecord } from './dns-source.ts';
import { longestSuffix } from './host-suffix.ts';

/** Services of disposable addresses by the host name suffixes of their mail exchangers. */
export type DisposableMxTable = ReadonlyMap<string, string>;

/** Prepares the curated entries for lookup. */
export function compileDisposableMx(entries: readonly { mx: string; provider: string }[]): DisposableMxTable {
  return new Map(entries.map(({ mx, provider }) => [mx, provider]));
}

/** The disposable service that receives a domain's mail; null when none is recognised. */
export function disposableOperator(records: readonly MxRecord[], table: DisposableMxTable): string | null {
  for (const { hostname } of records) {
    const provider = longestSuffix(hostname, table);
    if (provider !== null) return provider;
  }
  return null;
}
