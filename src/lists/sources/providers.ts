import type { Curated } from './curated.ts';
import type { SourceList } from './read-packages.ts';

/** Numbers the services behind disposable domains; 0 is "not identified". */
export interface ProviderBook {
  readonly names: readonly string[];
  numberOf(domain: string): number;
}

/**
 * Finds the service that operates a disposable domain. Our brands come first; a service a source names by one of a brand's
 * domains is that brand; of several, a brand wins, then the service with the most domains, so that one operator does
 * not appear under many names.
 */
export function providerBook(curated: Curated, lists: readonly SourceList[]): ProviderBook {
  const brandOf = new Map<string, string>();
  for (const brand of curated.brands) {
    for (const domain of [...brand.domains, brand.provider]) brandOf.set(domain, brand.provider);
  }
  const named = new Map<string, readonly string[]>();
  const sizes = new Map<string, number>();
  for (const list of lists) {
    for (const [domain, services] of list.providers) {
      named.set(domain, services);
      for (const service of services) sizes.set(service, (sizes.get(service) ?? 0) + 1);
    }
  }
  const numbers = new Map<string, number>();
  const bySize = (a: string, b: string): number => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || (a < b ? -1 : 1);
  const operatorOf = (domain: string): string | null => {
    const services = (named.get(domain) ?? (sizes.has(domain) ? [domain] : [])).toSorted(bySize);
    const brand = brandOf.get(domain) ?? services.map((each) => brandOf.get(each)).find((each) => each !== undefined);
    if (brand !== undefined) return brand;
    return services.includes(domain) ? domain : (services[0] ?? null);
  };
  const names: string[] = [];
  return {
    names,
    numberOf(domain) {
      const operator = operatorOf(domain);
      if (operator === null) return 0;
      const known = numbers.get(operator);
      if (known !== undefined) return known;
      names.push(operator);
      numbers.set(operator, names.length);
      return names.length;
    },
  };
}
