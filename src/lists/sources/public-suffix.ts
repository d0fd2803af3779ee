import { getPublicSuffix } from 'tldts';

const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const;

/** The length of a name's public suffix, private section of the list included. */
export function publicSuffixLength(name: string): number {
  return getPublicSuffix(name, options)?.length ?? 0;
}

/** True for `co.uk`, `duckdns.org`, `com`: names under which strangers register. */
export function isPublicSuffix(name: string): boolean {
  return publicSuffixLength(name) === name.length;
}

/** The registrable domain a name belongs to; a public suffix is its own. */
export function registrableOf(name: string): string {
  const dot = name.length - publicSuffixLength(name) - 1;
  return dot <= 0 ? name : name.slice(name.lastIndexOf('.', dot - 1) + 1);
}
