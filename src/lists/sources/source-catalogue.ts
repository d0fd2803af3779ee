import { type CuratedKind, curatedSources } from './curated.ts';

/**
 * How a source is believed; docs/lists.md has the study behind it. Of disposable domains: a `strong` one beats even our
 * allowlist; a `gathered` one names what services hand out, repeats the weak ones besides, and counts alone where those
 * are silent; a `kept` one counts alone under throwaway suffixes and has a vote elsewhere; a family of `weak` ones, which
 * copy each other, has one vote. It takes two.
 */
export type SourceKind = PackageKind | CuratedKind;
type PackageKind = 'strong' | 'kept' | 'gathered' | 'weak' | 'public';

/** A data package of npm: where its names are, and how many there may be. */
export interface PackageSource {
  readonly name: string;
  readonly kind: PackageKind;
  /** The file with the names, inside the package. */
  readonly file: string;
  readonly format: 'json' | 'json_domains' | 'lines' | 'fakefilter' | 'quoted_array';
  readonly licence: string;
  /** Lists that copy each other have one vote together. */
  readonly family?: string;
  /** Counts outside these bounds mean that the package changed its layout, or was tampered with. */
  readonly atLeast: number;
  readonly atMost: number;
}

/** The packages the snapshot is built from; measured sizes and licences are in data/SOURCES.md. */
export const packageSources: readonly PackageSource[] = [
  {
    name: 'disposable-email-domains-js',
    kind: 'strong',
    file: 'dist/dict/disposable_email_blocklist.json',
    format: 'json',
    licence: 'CC0-1.0',
    atLeast: 4_000,
    atMost: 50_000,
  },
  {
    name: 'fakefilter',
    kind: 'strong',
    file: 'json/data_version2.json',
    format: 'fakefilter',
    licence: 'BSD-3-Clause',
    atLeast: 2_000,
    atMost: 50_000,
  },
  {
    name: 'disposable-domains',
    kind: 'kept',
    file: 'index.json',
    format: 'json',
    licence: 'MIT',
    atLeast: 50_000,
    atMost: 500_000,
  },
  {
    name: 'mailchecker',
    kind: 'weak',
    file: 'platform/node/index.js',
    format: 'quoted_array',
    licence: 'MIT',
    family: 'stock of 2024',
    atLeast: 25_000,
    atMost: 500_000,
  },
  {
    name: 'burner-email-providers',
    kind: 'weak',
    file: 'emails.txt',
    format: 'lines',
    licence: 'MIT',
    family: 'stock of 2024',
    atLeast: 25_000,
    atMost: 500_000,
  },
  {
    name: '@emailalias/disposable-email-detector',
    kind: 'gathered',
    file: 'data/disposable-domains.json',
    format: 'json_domains',
    licence: 'MIT',
    atLeast: 25_000,
    atMost: 500_000,
  },
  {
    name: 'email-providers',
    kind: 'public',
    file: 'all.json',
    format: 'json',
    licence: 'ISC',
    atLeast: 4_000,
    atMost: 20_000,
  },
  {
    name: 'freemail',
    kind: 'public',
    file: 'data/free.txt',
    format: 'lines',
    licence: 'ISC',
    atLeast: 2_000,
    atMost: 20_000,
  },
];

/** The package of role names; it holds local parts, not domains. */
export const rolePackage = {
  name: 'role-based-email-addresses',
  file: 'src/index.js',
  licence: 'MIT',
  atLeast: 500,
  atMost: 5_000,
} as const;

/** The package of the TLDs that exist, and the name of its downloaded edition. */
export const tldSource = 'tlds';

/** The package of the public suffixes. */
export const suffixPackage = 'tldts';

/** Packages whose version changes the snapshot without being a list of ours: suffix rules and the TLDs that exist. */
export const referencePackages = [suffixPackage, tldSource] as const;

/** Every source of domain names; its place is its bit in an entry's sources. */
export const allSources: readonly { readonly name: string; readonly kind: SourceKind }[] = [
  ...packageSources,
  ...curatedSources,
];

/** The bit of one source. */
export function sourceBit(name: string): number {
  const index = allSources.findIndex((source) => source.name === name);
  if (index < 0) throw new Error(`No list source is called ${name}`);
  return 2 ** index;
}

/** The bits of all sources of a kind. */
export function kindBits(kind: SourceKind): number {
  return allSources.reduce((bits, source, index) => (source.kind === kind ? bits + 2 ** index : bits), 0);
}

/** The bits of the weak sources, one number a family of copies. */
export function weakFamilies(): number[] {
  const byFamily = new Map<string, number>();
  for (const { name, kind, family = name } of packageSources) {
    if (kind === 'weak') byFamily.set(family, (byFamily.get(family) ?? 0) | sourceBit(name));
  }
  return [...byFamily.values()];
}

/** The names of the sources whose bits are set. */
export function sourcesIn(bits: number): string[] {
  return allSources.filter((_, index) => (bits & (2 ** index)) !== 0).map((source) => source.name);
}
