import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainObject } from '../../input/json-value.ts';

/** The hand-written data of data/ that goes into the snapshot. */
export interface Curated {
  readonly relays: readonly { readonly domain: string; readonly service: string; readonly subdomains: boolean }[];
  /** Suffixes whose names belong to strangers, and the kind of service that gives the names out. */
  readonly boundaries: readonly { readonly suffix: string; readonly category: string }[];
  readonly publicDomains: readonly string[];
  /** Names the public packages list by mistake. */
  readonly notPublic: readonly string[];
  readonly allowlist: readonly string[];
  /** Names of the allowlist that beat even a strong source. */
  readonly overrule: readonly string[];
  readonly neverFlag: readonly string[];
  readonly brands: readonly { readonly provider: string; readonly domains: readonly string[] }[];
  readonly disposableDomains: readonly string[];
  readonly roles: readonly string[];
  /** Words that make a role name together, and words that may appear beside them. */
  readonly roleWords: readonly string[];
  readonly rolePlaces: readonly string[];
  /** Suffixes where names are cheap and organisations rare. */
  readonly throwawaySuffixes: readonly string[];
  /** A name with one word of each says that its mail does not last. */
  readonly throwawayWords: { readonly passing: readonly string[]; readonly mail: readonly string[] };
  readonly tldTrust: {
    readonly default: number;
    readonly countryDefault: number;
    readonly entries: ReadonlyMap<string, number>;
  };
}

/** Services where any user gets a name for free. */
export const freeCategories: ReadonlySet<string> = new Set(['ddns', 'free_subdomain', 'hosting_platform']);

interface CuratedSource {
  readonly name: string;
  /** How much it is trusted, see `SourceKind`. */
  readonly kind: string;
  /** How many entries `lists status` shows. */
  readonly count: (curated: Curated) => number;
  /** The names that it adds to the snapshot. */
  readonly names: (curated: Curated) => readonly string[];
}

/** Our own files in data/ that name domains. The snapshot stores sources by their index here: append new ones. */
export const curatedSources = [
  {
    name: 'data/disposable-brands.json',
    kind: 'strong',
    count: ({ brands }) => brands.length,
    names: ({ brands }) => brands.flatMap(({ domains }) => domains),
  },
  source('data/disposable-domains.json', 'strong', ({ disposableDomains }) => disposableDomains),
  source('data/public-domains.json', 'own_public', ({ publicDomains }) => publicDomains),
  source('data/relays.json', 'relay', ({ relays }) => relays.map(({ domain }) => domain)),
  {
    name: 'data/allowlist.json',
    kind: 'allow',
    count: ({ allowlist }) => allowlist.length,
    names: ({ allowlist, overrule }) => [...allowlist, ...overrule],
  },
  source('data/never-flag.json', 'known', ({ neverFlag }) => neverFlag),
  source('data/free-subdomains.json', 'boundary', ({ boundaries }) => boundaries.map(({ suffix }) => suffix)),
  source('data/tld-trust.json', 'tld', ({ tldTrust }) => [...tldTrust.entries.keys()]),
] as const satisfies readonly CuratedSource[];

/** How much our own files are trusted. */
export type CuratedKind = (typeof curatedSources)[number]['kind'];

function source<Kind extends string>(name: string, kind: Kind, names: (curated: Curated) => readonly string[]) {
  return { name, kind, names, count: (curated: Curated) => names(curated).length };
}

/** The files `readCurated` reads, all of them in one folder. */
export const curatedFiles = [
  'allowlist.json',
  'disposable-brands.json',
  'disposable-domains.json',
  'free-subdomains.json',
  'never-flag.json',
  'public-domains.json',
  'relays.json',
  'roles.json',
  'throwaway-suffixes.json',
  'throwaway-words.json',
  'tld-trust.json',
  'typo-targets.json',
] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Reads the hand-written files of a folder; a wrong shape is an error that names the file. */
export function readCurated(folder: string): Curated {
  const file = (name: (typeof curatedFiles)[number]): Fields =>
    fields(name, JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const rows = (name: (typeof curatedFiles)[number]): Fields[] =>
    list(name, file(name).entries).map((row) => fields(name, row));
  const names = (name: (typeof curatedFiles)[number]): string[] => strings(name, file(name).entries);
  const publicFile = file('public-domains.json');
  const trust = file('tld-trust.json');
  return {
    relays: rows('relays.json').map((row) => ({
      domain: string('relays.json', row.domain),
      service: string('relays.json', row.service),
      subdomains: row.subdomains === true,
    })),
    boundaries: rows('free-subdomains.json').map((row) => ({
      suffix: string('free-subdomains.json', row.suffix),
      category: string('free-subdomains.json', row.category),
    })),
    publicDomains: strings('public-domains.json', publicFile.entries),
    notPublic: strings('public-domains.json', publicFile.remove),
    allowlist: names('allowlist.json'),
    overrule: strings('allowlist.json', file('allowlist.json').overrule ?? []),
    neverFlag: names('never-flag.json'),
    brands: rows('disposable-brands.json').map((row) => ({
      provider: string('disposable-brands.json', row.provider),
      domains: strings('disposable-brands.json', row.domains),
    })),
    disposableDomains: names('disposable-domains.json'),
    roles: names('roles.json'),
    roleWords: strings('roles.json', file('roles.json').words),
    rolePlaces: strings('roles.json', file('roles.json').places),
    throwawaySuffixes: names('throwaway-suffixes.json'),
    throwawayWords: {
      passing: names('throwaway-words.json'),
      mail: strings('throwaway-words.json', file('throwaway-words.json').mail),
    },
    tldTrust: {
      default: score('tld-trust.json', trust.default),
      countryDefault: score('tld-trust.json', trust.countryDefault),
      entries: new Map(
        Object.entries(fields('tld-trust.json', trust.entries)).map(([tld, value]) => [
          tld,
          score('tld-trust.json', value),
        ]),
      ),
    },
  };
}

function fields(file: string, value: unknown): Fields {
  if (!isPlainObject(value)) throw wrong(file, 'an object', value);
  return value;
}

function list(file: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw wrong(file, 'an array', value);
  return value;
}

function string(file: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw wrong(file, 'a string', value);
  return value;
}

function strings(file: string, value: unknown): string[] {
  return list(file, value).map((item) => string(file, item));
}

function score(file: string, value: unknown): number {
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > 5) throw wrong(file, 'a score of 1 to 5', value);
  return Number(value);
}

function wrong(file: string, expected: string, value: unknown): Error {
  return new Error(`data/${file}: expected ${expected}, found ${JSON.stringify(value)?.slice(0, 80)}`);
}
