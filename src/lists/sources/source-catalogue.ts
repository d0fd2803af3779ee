import { type CuratedKind, curatedSources } from './curated.ts';

/**
 * How much a source is trusted. For disposable domains: a `strong` one decides, even against our allowlist; the others vote (see
 * `votesOf`). docs/lists.md has the rule, decision 0033 the measurements behind it.
 */
export type SourceKind = PackageKind | CuratedKind;
type VotingKind = 'gathered' | 'weak';
type PackageKind = 'strong' | VotingKind | 'public';

/**
 * The votes of a list for a name that none of the lists it copies has. A `gathered` list decides alone: such a name
 * is younger than the copied editions. No other publisher confirms most names that a `weak` list has alone; where a name
 * costs nothing they are throwaway names all the same.
 */
const votesOf: Readonly<Record<VotingKind, { readonly votes: number; readonly underThrowawaySuffix: number }>> = {
  gathered: { votes: 2, underThrowawaySuffix: 2 },
  weak: { votes: 1, underThrowawaySuffix: 2 },
};

/** A data package of npm: where its names are, and how many there may be. */
export interface PackageSource {
  readonly name: string;
  readonly kind: PackageKind;
  /** The file with the names, inside the package. */
  readonly file: string;
  readonly format: 'json' | 'json_domains' | 'lines' | 'fakefilter' | 'quoted_array' | 'quoted_lines' | 'free_email';
  readonly licence: string;
  /** Lists that its publisher took names from: where one of them has a name, this list repeats it and has no vote. */
  readonly copies?: readonly string[];
  /** Each edition has only the names of the last days: editions add up, and a download replaces none of them. */
  readonly isRolling?: boolean;
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
    kind: 'weak',
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
    atLeast: 25_000,
    atMost: 500_000,
  },
  {
    name: 'burner-email-providers',
    kind: 'weak',
    file: 'emails.txt',
    format: 'lines',
    licence: 'MIT',
    copies: ['disposable-domains', 'mailchecker'],
    atLeast: 25_000,
    atMost: 500_000,
  },
  {
    name: '@emailalias/disposable-email-detector',
    kind: 'gathered',
    file: 'data/disposable-domains.json',
    format: 'json_domains',
    licence: 'MIT',
    copies: ['mailchecker', 'burner-email-providers'],
    atLeast: 25_000,
    atMost: 500_000,
  },
  {
    name: 'is-burner-email',
    kind: 'gathered',
    file: 'dist/index.js',
    format: 'quoted_lines',
    licence: 'MIT',
    copies: [
      'disposable-email-domains-js',
      'fakefilter',
      'disposable-domains',
      'mailchecker',
      'burner-email-providers',
      '@emailalias/disposable-email-detector',
    ],
    // Our package contains only the names that no list it copies has.
    atLeast: 100,
    atMost: 500_000,
  },
  {
    name: 'free-email-domains',
    kind: 'gathered',
    file: 'domains.json',
    format: 'free_email',
    licence: 'MIT',
    copies: ['disposable-email-domains-js'],
    isRolling: true,
    atLeast: 100,
    atMost: 50_000,
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

/** The lists whose age the measured recall depends on: their publishers watch the services and keep every name. */
export const watchingSources: ReadonlySet<string> = new Set([
  'fakefilter',
  ...packageSources.flatMap(({ name, kind, isRolling }) => (kind === 'gathered' && !isRolling ? [name] : [])),
]);

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

/** Every source of domain names; its index is its bit in an entry's sources. */
export const allSources: readonly { readonly name: string; readonly kind: SourceKind }[] = [
  ...packageSources,
  ...curatedSources,
];

export function sourceBit(name: string): number {
  const index = allSources.findIndex((source) => source.name === name);
  if (index < 0) throw new Error(`No list source is called ${name}`);
  return 2 ** index;
}

export function kindBits(kind: SourceKind): number {
  return allSources.reduce((bits, source, index) => (source.kind === kind ? bits + 2 ** index : bits), 0);
}

/** A list that votes: its bit, the bits of the lists it copies, and its votes. */
const voters = packageSources.flatMap(({ name, kind, copies = [] }) =>
  kind === 'strong' || kind === 'public'
    ? []
    : [{ bit: sourceBit(name), copied: copies.reduce((bits, each) => bits | sourceBit(each), 0), ...votesOf[kind] }],
);

/** The votes of a list for its own names, in words. */
export function voteText({ kind }: PackageSource): string {
  if (kind === 'strong' || kind === 'public') return '';
  const { votes, underThrowawaySuffix } = votesOf[kind];
  return votes === underThrowawaySuffix ? `${votes}` : `${votes}, ${underThrowawaySuffix} under throwaway suffixes`;
}

/** Whether lists that are not strong say enough about a name: two votes of lists that repeat none of the others. */
export function hasEnoughVotes(named: number, isThrowaway: boolean): boolean {
  let count = 0;
  for (const { bit, copied, votes, underThrowawaySuffix } of voters) {
    if ((named & bit) !== 0 && (named & copied) === 0) count += isThrowaway ? underThrowawaySuffix : votes;
  }
  return count >= 2;
}

/** The lists that a source repeats when it lists a name that the sources of these bits list. */
export function repeatedBy(source: string, named: number): string[] {
  const { copies = [] } = packageSources.find(({ name }) => name === source) ?? {};
  return copies.filter((each) => (named & sourceBit(each)) !== 0);
}

/** The names of the sources whose bits are set. */
export function sourcesIn(bits: number): string[] {
  return allSources.filter((_, index) => (bits & (2 ** index)) !== 0).map((source) => source.name);
}
