import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';

/** The folder of data curated by hand. */
export const dataFolder = new URL('../data/', import.meta.url);

const tlds: readonly string[] = createRequire(import.meta.url)('tlds');

/** Every TLD that exists, in its ASCII form. */
export const asciiTlds: ReadonlySet<string> = new Set(tlds.map((tld) => domainToASCII(tld)));

/** The fields that every curated file of entries has. */
export interface DataFile<Entries> {
  readonly about: string;
  readonly sources: readonly string[];
  readonly entries: Entries;
}

/** A relay service's domain. */
export interface Relay {
  readonly domain: string;
  readonly service: string;
  readonly subdomains: boolean;
}

/** A disposable mail service and its domains. */
export interface Brand {
  readonly provider: string;
  readonly domains: readonly string[];
}

/** A service that receives mail for others. */
export interface MxProvider {
  readonly slug: string;
  readonly name: string;
  readonly type: string;
  readonly grade: string;
  readonly mx: readonly string[];
  readonly own?: readonly string[];
}

type Names = readonly string[];

/** The curated files on disk; the tests check that they have these shapes. */
export const dataFiles = {
  relays: read<DataFile<readonly Relay[]>>('relays.json'),
  freeSubdomains:
    read<DataFile<readonly { readonly suffix: string; readonly category: string }[]>>('free-subdomains.json'),
  publicDomains: read<DataFile<Names> & { readonly remove: Names }>('public-domains.json'),
  allowlist: read<DataFile<Names> & { readonly overrule: Names }>('allowlist.json'),
  neverFlag: read<DataFile<Names>>('never-flag.json'),
  brands: read<DataFile<readonly Brand[]>>('disposable-brands.json'),
  disposableDomains: read<DataFile<Names>>('disposable-domains.json'),
  roles: read<DataFile<Names> & { readonly words: Names; readonly places: Names }>('roles.json'),
  tldTrust: read<
    DataFile<Readonly<Record<string, number>>> & { readonly default: number; readonly countryDefault: number }
  >('tld-trust.json'),
  mxProviders: read<DataFile<readonly MxProvider[]>>('mx-providers.json'),
  disposableMx: read<DataFile<readonly { readonly mx: string; readonly provider: string }[]>>('disposable-mx.json'),
  rankSeed: read<DataFile<readonly (readonly [string, number])[]>>('rank-seed.json'),
  asnClasses:
    read<DataFile<readonly { readonly asn: number; readonly name: string; readonly class: string }[]>>(
      'asn-classes.json',
    ),
} as const;

function read<File>(name: string): File {
  return JSON.parse(readFileSync(new URL(name, dataFolder), 'utf8'));
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A lower-case ASCII name of at least two labels under a TLD that exists. */
export function isDomain(name: string): boolean {
  const labels = name.split('.');
  const tld = labels.at(-1) ?? '';
  return labels.length >= 2 && name.length <= 253 && labels.every((each) => label.test(each)) && asciiTlds.has(tld);
}

/** Fails with the names that are not domain names. */
export function assertDomains(names: readonly string[]): void {
  assertNone(names, (name) => !isDomain(name));
}

/** Sorted by code unit and unique, so that a diff shows only what changed. */
export function assertSortedOnce(names: readonly string[]): void {
  assert.deepEqual(names, [...new Set(names)].sort());
}

/** Fails with the items that are wrong. */
export function assertNone<Item>(items: readonly Item[], isWrong: (item: Item) => boolean): void {
  assert.deepEqual(items.filter(isWrong), []);
}

/** True for a public suffix, the private section of the list included. */
export function isSuffix(name: string): boolean {
  return getPublicSuffix(name, { allowPrivateDomains: true }) === name;
}

/** The provider of the longest MX suffix that covers a host. */
export function providerOf(host: string): string | null {
  const best = dataFiles.mxProviders.entries
    .flatMap(({ slug, mx }) => mx.map((suffix) => ({ slug, suffix })))
    .filter(({ suffix }) => host === suffix || host.endsWith(`.${suffix}`))
    .sort((a, b) => b.suffix.length - a.suffix.length)
    .at(0);
  return best?.slug ?? null;
}
