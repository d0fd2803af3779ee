import { errorMessage } from '../../error-message.ts';
import { unpackDownload } from '../../files/unpack-download.ts';
import { type IpDatabase, openIpDatabase } from '../../ip/ip-database.ts';
import { type IpList, readIpList } from '../../ip/ip-list-file.ts';
import { bootstrapCopy } from '../../net/registry/rdap-bootstrap.ts';
import { parseRdapBootstrap } from '../../net/registry/rdap-bootstrap-document.ts';
import { packRanking } from '../ranks/ranks-compile.ts';
import { isErrorPage } from '../sources/check-source.ts';
import { editionMark, linesOf } from '../sources/read-packages.ts';
import { dateOfRdap, dateOfTlds } from './edition-date.ts';
import type { RefreshSource } from './refresh-catalogue.ts';
import { type DomainContext, prepareDomains } from './refresh-domains.ts';
import { Refusal } from './refresh-refusal.ts';

/** The inputs of validating a download besides its bytes. */
export interface PrepareContext extends DomainContext {
  /** The number of entries of the edition in use; 0 when there is none. */
  readonly lastCount: number;
  readonly now: () => number;
}

/** A usable download, as the content of the file it becomes. */
export interface PreparedDownload {
  readonly content: Uint8Array | string;
  readonly count: number;
  /** The day of the edition, where the file itself says it. */
  readonly date?: string | null;
}

/** Validates a download and converts it to the file it becomes; throws a `Refusal` when it cannot be used. */
export async function prepareDownload(
  source: RefreshSource,
  bytes: Buffer,
  context: PrepareContext,
): Promise<PreparedDownload> {
  if (bytes.length === 0) throw new Refusal('it is empty');
  if (isErrorPage(bytes.toString('utf8', 0, 512))) throw new Refusal('it is a web page, not a list');
  const prepared = await prepare(source, bytes, context);
  if (prepared.count * 2 < context.lastCount) {
    throw new Refusal(`it shrank from ${context.lastCount} entries to ${prepared.count}`);
  }
  return prepared;
}

async function prepare(source: RefreshSource, bytes: Buffer, context: PrepareContext): Promise<PreparedDownload> {
  const { now } = context;
  switch (source.format) {
    case 'lines':
    case 'json':
    case 'fakefilter':
      return prepareDomains(source, bytes.toString('utf8'), context);
    case 'tlds':
      return prepareTlds(bytes.toString('utf8'));
    case 'rdap': {
      const servers = parseRdapBootstrap(bytes);
      if (servers === null) throw new Refusal('it is not an RDAP bootstrap registry');
      return { content: bootstrapCopy(source.url, now(), bytes), count: servers.size, date: dateOfRdap(bytes) };
    }
    case 'ranking': {
      const { content, built } = refusing(() =>
        packRanking({ bytes, source: source.url, date: context.madeAt ?? null, now }),
      );
      return { content, count: built.count };
    }
    case 'addresses':
      return { content: bytes, count: await countAddresses(bytes) };
    case 'mmdb': {
      const content = refusing(() => unpackDownload(bytes));
      const { nodes, builtAt } = openDatabase(content);
      return { content, count: nodes, date: builtAt };
    }
  }
}

/** The root zone has had more than a thousand TLDs since 2016; a shorter file is something else. */
const minTlds = 1_000;

function prepareTlds(text: string): PreparedDownload {
  const tlds = linesOf(text).map((line) => line.toLowerCase());
  const wrong = tlds.find((tld) => !/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(tld));
  if (wrong !== undefined) throw new Refusal(`"${wrong.slice(0, 63)}" is not a TLD`);
  if (tlds.length < minTlds || !tlds.includes('com')) {
    throw new Refusal(`it has ${tlds.length} TLDs${tlds.includes('com') ? '' : ', com not among them'}`);
  }
  const date = dateOfTlds(text);
  const mark = date === null ? '' : `${editionMark}${date}\n`;
  return { content: `${mark}${tlds.join('\n')}\n`, count: tlds.length, date };
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Refusal(errorMessage(error));
  }
}

/** A publisher's list has fewer mistakes than one written by hand. */
const maxWrongShare = 0.05;

/** How many addresses and networks a list holds, read as the service will read it. */
async function countAddresses(bytes: Buffer): Promise<number> {
  const { entries, wrongLines, tooWide } = await readList(bytes);
  // A mistake, or an attempt to flag a continent: the rest of such a list cannot be trusted either.
  if (tooWide !== null) throw new Refusal(`it lists ${tooWide}, which is far too wide`);
  const lines = entries + wrongLines;
  if (wrongLines > lines * maxWrongShare) {
    throw new Refusal(`${wrongLines} of ${lines} lines are not addresses or networks`);
  }
  return entries;
}

async function readList(bytes: Buffer): Promise<IpList> {
  try {
    return await readIpList(bytes);
  } catch (error) {
    throw new Refusal(`it is not a list of addresses: ${errorMessage(error)}`);
  }
}

/** A MaxMind database, opened as the service will open it. */
function openDatabase(bytes: Buffer): IpDatabase {
  try {
    return openIpDatabase(bytes);
  } catch (error) {
    throw new Refusal(`it is not a MaxMind database: ${errorMessage(error)}`);
  }
}
