import { errorMessage } from '../../error-message.ts';
import { isPlainObject } from '../../input/json-value.ts';
import { checkSource } from '../sources/check-source.ts';
import { editionInUse, whyOlder, withOlderNames } from '../sources/edition-in-use.ts';
import { cleanNames, editionMark, linesOf, readFakefilter, readPackage, seenMark } from '../sources/read-packages.ts';
import { packageSources } from '../sources/source-catalogue.ts';
import type { RefreshSource } from './refresh-catalogue.ts';
import { Refusal } from './refresh-refusal.ts';

/** The inputs of validating a list of disposable domains besides its text. */
export interface DomainContext {
  /** Where its downloaded edition is kept. */
  readonly path: string;
  readonly neverFlag: ReadonlySet<string>;
  /** When the publisher made it, as the server says. */
  readonly madeAt?: string | null;
}

/** A download of disposable domains as the text file that the build reads in place of the package's copy. */
export function prepareDomains(
  source: RefreshSource,
  text: string,
  { path, neverFlag, madeAt = null }: DomainContext,
): { content: string; count: number; date: string | null } {
  const replaced = packageSources.find((each) => each.name === source.package);
  if (replaced === undefined) throw new Error(`${source.name} replaces no known package`);
  const { raw, providers, seen, date: inside = null } = rawNames(source, text);
  const date = inside ?? madeAt;
  const { names: downloaded, rejected } = cleanNames(raw);
  const ofPackage = readPackage(replaced);
  const previousCount = ofPackage.names.length;
  const { list: inUse } = editionInUse(ofPackage, path, neverFlag);
  if (replaced.isRolling && downloaded.length === 0) throw new Refusal('it is empty');
  const names = replaced.isRolling ? withOlderNames(downloaded, inUse.names) : downloaded;
  const reason =
    checkSource({ name: replaced.name, text, names, rejected, previousCount, neverFlag }) ??
    whyOlder({ names, date, isExact: inside !== null }, inUse);
  if (reason !== null) throw new Refusal(reason);
  if (replaced.kind === 'strong') refuseParents(new Set(names), neverFlag);
  const lines = names.map((name) => {
    const days = seen?.get(name);
    const columns = [name, ...(providers.get(name) ?? []).filter(isWord)];
    return [...columns, ...(days === undefined ? [] : [`${seenMark}${days}`])].join(' ');
  });
  const edition = date === null ? '' : `${editionMark}${date}\n`;
  return { content: `${edition}${lines.join('\n')}\n`, count: names.length, date: inside };
}

interface RawNames {
  readonly raw: readonly string[];
  readonly providers: ReadonlyMap<string, readonly string[]>;
  /** The first and the last day of each name. */
  readonly seen?: ReadonlyMap<string, string>;
  /** The date inside the file. */
  readonly date?: string;
}

function rawNames(source: RefreshSource, text: string): RawNames {
  const providers = new Map<string, readonly string[]>();
  if (source.format === 'lines') return { raw: linesOf(text), providers };
  try {
    const document: unknown = JSON.parse(text);
    if (source.format === 'fakefilter') {
      const { hosts, seen, date } = readFakefilter(document as Parameters<typeof readFakefilter>[0], providers);
      return { raw: hosts, providers, seen, date };
    }
    // A publisher may add a description of the list beside it.
    const list = isPlainObject(document) && 'domains' in document ? document.domains : document;
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return { raw: list, providers };
  } catch (error) {
    throw new Refusal(`it is not in the expected format: ${errorMessage(error)}`);
  }
  throw new Refusal('it is not in the expected format: no array of names');
}

/** One strong source flags every subdomain of its entries, so a parent of a name that must never be flagged is refused too. */
function refuseParents(names: ReadonlySet<string>, neverFlag: ReadonlySet<string>): void {
  for (const name of neverFlag) {
    for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
      const parent = name.slice(at + 1);
      if (parent.includes('.') && names.has(parent)) {
        throw new Refusal(`it lists ${parent}, a parent of ${name}, which is never disposable`);
      }
    }
  }
}

/** A blank would begin another column of the file, and `#` a comment. */
function isWord(provider: string): boolean {
  return typeof provider === 'string' && /^[^\s#]+$/.test(provider);
}
