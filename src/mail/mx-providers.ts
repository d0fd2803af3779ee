import type { Domain } from '../address/domain.ts';
import type { MxRecord } from './dns-source.ts';
import { longestSuffix } from './host-suffix.ts';

/** A service that receives mail for others, as it appears in an answer. */
export interface MxProvider {
  readonly slug: string;
  readonly type: string;
  readonly grade: string;
}

/** One row of the provider table: a provider and the host name suffixes of its mail exchangers. */
export interface MxProviderRow extends MxProvider {
  readonly name: string;
  readonly mx: readonly string[];
  /** The service's own mailbox domains: there it is not a third party. */
  readonly own?: readonly string[];
}

/** Providers by host name suffix, and whose a mailbox domain is. */
export interface MxProviderTable {
  readonly bySuffix: ReadonlyMap<string, MxProvider>;
  readonly owners: ReadonlyMap<string, MxProvider>;
}

/** Prepares the curated entries for lookup; a suffix claimed by two providers is a mistake in the data. */
export function compileMxProviders(entries: readonly MxProviderRow[]): MxProviderTable {
  const bySuffix = new Map<string, MxProvider>();
  const owners = new Map<string, MxProvider>();
  for (const { slug, type, grade, mx, own = [] } of entries) {
    const provider = { slug, type, grade };
    for (const suffix of mx) {
      const taken = bySuffix.get(suffix);
      if (taken !== undefined) throw new Error(`MX suffix ${suffix} belongs to both ${taken.slug} and ${slug}`);
      bySuffix.set(suffix, provider);
    }
    for (const domain of own) owners.set(domain, provider);
  }
  return { bySuffix, owners };
}

/**
 * The third parties a domain delegates its mail to, in order of their best priority.
 * `records` come from `readMx`, best first. A host under the domain's own registrable domain is the domain's own, and a mail
 * service serves its own domains by itself (gmail.com by google.com).
 */
export function recogniseProviders(records: readonly MxRecord[], table: MxProviderTable, domain: Domain): MxProvider[] {
  const own = domain.registrable ?? domain.ascii;
  const owner = table.owners.get(own);
  const found = new Map<string, MxProvider>();
  for (const { hostname } of records) {
    if (hostname === own || hostname.endsWith(`.${own}`)) continue;
    const provider = longestSuffix(hostname, table.bySuffix);
    if (provider !== null && provider !== owner && !found.has(provider.slug)) found.set(provider.slug, provider);
  }
  return [...found.values()];
}
