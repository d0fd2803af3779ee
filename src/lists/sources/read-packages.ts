import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';
import { packageRoot, packedData } from '../../files/package-files.ts';
import { listName } from './list-name.ts';
import { editionDate } from './package-dates.ts';
import { type PackageSource, packageSources, rolePackage, tldSource } from './source-catalogue.ts';

const resolver = createRequire(import.meta.url);

/** The names of one source, with its edition. */
export interface SourceList {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** The day of the edition, ISO 8601: as the source says it, else when the package was published. */
  readonly date: string | null;
  readonly names: readonly string[];
  /** Lines that are not domain names. */
  readonly rejected: number;
  /** The services that operate a name, where the source says so, by name. */
  readonly providers: ReadonlyMap<string, readonly string[]>;
  /** The first and the last day it saw a name, where the source says so: `2025-11-03..2026-02-17`. */
  readonly seen?: ReadonlyMap<string, string>;
}

/** The folder of a package, or of its data in a build; its `exports` may hide data files. */
export function packageFolder(name: string): string {
  const parents = [...(resolver.resolve.paths(name) ?? []), packedData];
  const folders = parents.map((path) => join(path, name));
  const found = folders.find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined) throw new Error(`The package ${name} is not installed; run: npm ci`);
  return found;
}

/** The installed version of a package. */
export function packageVersion(name: string): string {
  const manifest: { version?: unknown } = JSON.parse(readFileSync(join(packageFolder(name), 'package.json'), 'utf8'));
  if (typeof manifest.version !== 'string') throw new Error(`${name} has no version`);
  return manifest.version;
}

function textOf(name: string, file: string): string {
  return readFileSync(join(packageFolder(name), file), 'utf8');
}

function stringsOf(name: string, value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new Error(`${name} is not an array of strings any more`);
  }
  return value;
}

/** The file of a package whose names the build has read already; see scripts/build.ts. */
export const packedNames = 'names.json';

/** One package's list, read as a file: no code of a data package runs. */
export function readPackage(source: PackageSource): SourceList {
  const isPacked = existsSync(join(packageFolder(source.name), packedNames));
  const { format, file }: Pick<PackageSource, 'format' | 'file'> = isPacked
    ? { format: 'json', file: packedNames }
    : source;
  const text = textOf(source.name, file);
  const providers = new Map<string, readonly string[]>();
  const version = packageVersion(source.name);
  let date = editionDate(source.name, version);
  let seen: SourceList['seen'];
  let raw: string[];
  if (format === 'json') {
    raw = stringsOf(source.name, JSON.parse(text));
  } else if (format === 'json_domains') {
    raw = stringsOf(source.name, JSON.parse(text).domains);
  } else if (format === 'lines') {
    raw = linesOf(text);
  } else if (format === 'quoted_array') {
    const array = /new Set\((\["[^\]]*\])\)/.exec(text)?.[1];
    if (array === undefined) throw new Error(`${source.name} has another layout than expected`);
    raw = stringsOf(source.name, JSON.parse(array));
  } else if (format === 'quoted_lines') {
    const allowed = new Set(quotedLines(source.name, text, 'whitelist'));
    raw = quotedLines(source.name, text, 'blacklist').filter((name) => !allowed.has(name));
  } else if (format === 'free_email') {
    raw = readFreeEmail(source, text);
  } else {
    const parsed = readFakefilter(JSON.parse(text), providers);
    raw = parsed.hosts;
    date = parsed.date;
    seen = parsed.seen;
  }
  const { names, rejected } = cleanNames(raw);
  return {
    name: source.name,
    version,
    licence: source.licence,
    date,
    names,
    rejected,
    providers,
    ...(seen === undefined ? {} : { seen }),
  };
}

/** The lines of a list that a bundle holds as one quoted text: `var blacklist_default = "…";`. */
function quotedLines(name: string, bundle: string, list: string): string[] {
  const start = `var ${list}_default = `;
  const from = bundle.indexOf(start);
  const to = bundle.indexOf(';\n', from);
  if (from < 0 || to < 0) throw new Error(`${name} has another layout than expected`);
  return linesOf(JSON.parse(bundle.slice(from + start.length, to)));
}

/**
 * The disposable part of a list of free mail services. Its publisher adds Castle's list, which holds the thousand names that
 * were used most in the last days, to names of mailbox services: those in the edition before that, and those in its script.
 * Older editions are development dependencies under other names (`NAME-vVERSION`).
 */
function readFreeEmail({ name, file }: PackageSource, text: string): string[] {
  const manifest: { devDependencies: object } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const older = Object.keys(manifest.devDependencies).filter((each) => each.startsWith(`${name}-v`));
  const written = textOf(name, 'scripts/postinstall.mjs').matchAll(/^ {2}'([^'\n]+)',?$/gm);
  const services = new Set([
    ...stringsOf(name, JSON.parse(textOf(`${name}-public`, file))),
    ...Array.from(written, ([, service = '']) => service),
  ]);
  const texts = [text, ...older.map((each) => textOf(each, file))];
  return texts.flatMap((each) => stringsOf(name, JSON.parse(each))).filter((each) => !services.has(each));
}

export function readPackages(): SourceList[] {
  return packageSources.map(readPackage);
}

/** The lines of a text without comments and blanks. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Unique list names, and how many lines were none. */
export function cleanNames(raw: readonly string[]): { names: string[]; rejected: number } {
  const names = new Set<string>();
  let rejected = 0;
  for (const text of raw) {
    const name = listName(text);
    if (name === null) rejected += 1;
    else names.add(name);
  }
  return { names: [...names], rejected };
}

interface FakefilterFile {
  readonly t: number;
  readonly domains: Readonly<
    Record<string, { readonly providers: readonly string[]; readonly hosts: Readonly<Record<string, unknown>> }>
  >;
}

/** The hosts of a fakefilter file; the services that operate them go into `providers`. */
export function readFakefilter(file: FakefilterFile, providers: Map<string, readonly string[]>) {
  const hosts: string[] = [];
  const seen = new Map<string, string>();
  for (const domain of Object.values(file.domains)) {
    // "static" marks names its author entered by hand: no service.
    const named = domain.providers.filter((provider) => provider !== 'static');
    for (const [host, about] of Object.entries(domain.hosts)) {
      hosts.push(host);
      const days = daysSeen(about);
      if (days !== null) seen.set(host, days);
      if (named.length > 0) providers.set(host, named);
    }
  }
  return { hosts, seen, date: new Date(file.t * 1000).toISOString() };
}

function daysSeen(about: unknown): string | null {
  const { firstseen, lastseen } = (about ?? {}) as { firstseen?: unknown; lastseen?: unknown };
  const [first, last] = [dayOf(firstseen), dayOf(lastseen)];
  return first === null || last === null ? null : `${first}..${last}`;
}

/** The day of a time in seconds; null for a value that is no time, or of another century. */
function dayOf(seconds: unknown): string | null {
  const isTime = typeof seconds === 'number' && seconds > 0 && seconds < 4_102_444_800;
  return isTime ? new Date(seconds * 1000).toISOString().slice(0, 10) : null;
}

/** The role names of the package: every quoted word of its arrays, lower case. */
export function readRolePackage(): { version: string; date: string | null; roles: string[] } {
  const words = textOf(rolePackage.name, rolePackage.file).matchAll(/^ {2}'([^'\n]+)',$/gm);
  const roles = new Set(Array.from(words, (match) => (match[1] ?? '').toLowerCase()));
  const version = packageVersion(rolePackage.name);
  return { version, date: editionDate(rolePackage.name, version), roles: [...roles] };
}

/** Every TLD that exists, ASCII: from a downloaded edition where there is one. */
export function readTlds(override: string): { version: string; date: string | null; tlds: string[] } {
  if (existsSync(override)) {
    const text = readFileSync(override, 'utf8');
    return { ...downloadedEdition(override, text), tlds: linesOf(text) };
  }
  const version = packageVersion(tldSource);
  const tlds = stringsOf(tldSource, JSON.parse(textOf(tldSource, 'index.json')));
  return { version, date: editionDate(tldSource, version), tlds: tlds.map((tld) => domainToASCII(tld)) };
}

/** When an edition was downloaded, and its own day. */
function downloadedEdition(path: string, text: string): { version: string; date: string } {
  const cameAt = statSync(path).mtime.toISOString();
  const date = text.startsWith(editionMark) ? text.slice(editionMark.length, text.indexOf('\n')) : cameAt;
  return { version: `download ${cameAt}`, date };
}

/** The first line of a downloaded edition whose date is known; without it the download's date counts. */
export const editionMark = '# edition ';

/** Begins the column of a downloaded edition that says when a name was seen. */
export const seenMark = 'seen:';

/** A downloaded edition of a source: one name per line, optionally followed by the services that operate it and days. */
export function readOverride(source: PackageSource, path: string): { text: string; list: SourceList } {
  const text = readFileSync(path, 'utf8');
  const providers = new Map<string, readonly string[]>();
  const rows = linesOf(text).map((line) => line.split(/\s+/));
  const seen = new Map<string, string>();
  for (const [host, ...words] of rows) {
    const days = words.find((word) => word.startsWith(seenMark));
    if (host !== undefined && days !== undefined) seen.set(host, days.slice(seenMark.length));
    const named = words.filter((word) => word !== days);
    if (host !== undefined && named.length > 0) providers.set(host, named);
  }
  const { names, rejected } = cleanNames(rows.map((row) => row[0] ?? ''));
  const list = {
    name: source.name,
    ...downloadedEdition(path, text),
    licence: source.licence,
    names,
    rejected,
    providers,
    seen,
  };
  return { text, list };
}
