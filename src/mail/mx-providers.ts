import type { Domain } from '../address/domain.ts';
import type { MxRecord } from './dns-source.ts';
import { longestSuffix } from './host-suffix.ts';

/** A service that receives mail for others, as it appears in an answer. */
export interface MxProvider {
  readonly slug: string;
  readonly type: string;
  readonly grade: string;
}

/** One entry of the provider table: a provider and the host name suffixes of its mail exchangers. */
export interface MxProviderEntry extends MxProvider {
  readonly name: string;
  readonly mx: readonly string[];
}

/** Providers by host name suffix. */
export type MxProviderTable = ReadonlyMap<string, MxProvider>;

/** Prepares the curated entries for lookup; a suffix claimed by two providers is a mistake in the data. */
export function compileMxProviders(entries: readonly MxProviderEntry[]): MxProviderTable {
  const table = new Map<string, MxProvider>();
  for (const { slug, type, grade, mx } of entries) {
    const provider = { slug, type, grade };
    for (const suffix of mx) {
      const taken = table.get(suffix);
      if (taken !== undefined) throw new Error(`MX suffix ${suffix} belongs to both ${taken.slug} and ${slug}`);
      table.set(suffix, provider);
    }
  }
  return table;
}

/**
 * The third parties a domain delegates its mail to, in order of their best priority.
 * `records` come from `readMx`, best first. A host under the domain's own registrable domain is the domain's own.
 */
export function recogniseProviders(records: readonly MxRecord[], table: MxProviderTable, domain: Domain): MxProvider[] {
  const own = domain.registrable ?? domain.ascii;
  const found = new Map<string, MxProvider>();
  for (const { hostname } of records) {
    if (hostname === own || hostname.endsWith(`.${own}`)) continue;
    const provider = longestSuffix(hostname, table);
    if (provider !== null && !found.has(provider.slug)) found.set(provider.slug, provider);
  }
  return [...found.values()];
}
