import { join } from 'node:path';
import catalogue from '../../data/refresh-sources.json' with { type: 'json' };
import type { IpAddress } from '../address/ip.ts';
import { errorMessage } from '../error-message.ts';
import type { ListLog } from '../lists/snapshot/kept-snapshot.ts';
import { type IpDatabase, openIpDatabase } from './ip-database.ts';
import { type IpFile, type IpFileOptions, openIpFile } from './ip-file.ts';
import { detection } from './ip-knowledge.ts';
import { readIpList } from './ip-list-file.ts';
import { coversIp, type IpRanges } from './ip-ranges.ts';

/** Whether an address, given by its words, is on a list; null when there is no list. */
export type Membership = (words: Uint32Array) => boolean | null;

/** The record of an address in a database; null when there is no record or no database. */
export type RecordOf = (ip: IpAddress) => unknown;

/** The subjects of lists of addresses. */
export type IpListName = 'abuse' | 'proxy' | 'relay' | 'tor' | 'vpn' | 'hosting';

/** Whether one file of a list has an address. */
export interface FileWord {
  readonly file: string;
  readonly isListed: boolean;
}

/** The files an operator or `lists update` puts beside the country package. */
export interface IpFolder {
  /** Every file that may exist. */
  readonly files: readonly IpFile<unknown>[];
  readonly city: RecordOf;
  readonly asn: RecordOf;
  readonly lists: Readonly<Record<IpListName, Membership>>;
  /** Whether a published list of VPN servers has the address; null if none has it, because no list is complete. */
  readonly publishedVpn: Membership;
  /** The result of each file of a list, for explanations. */
  wordsOf(list: IpListName, words: Uint32Array): FileWord[];
}

const mebibyte = 2 ** 20;
const maxBytes = { list: 64 * mebibyte, database: 512 * mebibyte };

/** Published lists of VPN servers, which `lists update` fetches. */
const publishedVpnFiles = catalogue.entries.flatMap(({ file }) => (file?.startsWith('vpn-') ? [file] : []));

const isCovered = ({ value }: IpFile<IpRanges>, words: Uint32Array): boolean | null =>
  value === null ? null : coversIp(value, words);

/** The files of a folder, none of them read yet. */
export function openIpFolder(options: { folder: string; log: ListLog; now: () => number }): IpFolder {
  const { folder, log, now } = options;
  const files: IpFile<unknown>[] = [];
  const listFiles = new Map<string, readonly IpFile<IpRanges>[]>();
  const open = <T>(name: string, limit: number, read: IpFileOptions<T>['read']): IpFile<T> => {
    const file = openIpFile({ path: join(folder, name), maxBytes: limit, read, log, now });
    files.push(file);
    return file;
  };

  /** A list may be in two files, such as a downloaded one and the operator's. */
  const list = (name: string): Membership => {
    const text = open(`${name}.txt`, maxBytes.list, readList);
    const table = open(`${name}.csv`, maxBytes.list, readList);
    listFiles.set(name, [text, table]);
    return (words) => detection(isCovered(text, words), isCovered(table, words)).detected;
  };

  const published = publishedVpnFiles.map((name) => open(name, maxBytes.list, readList));
  const publishedBy = (words: Uint32Array): IpFile<IpRanges>[] =>
    published.filter(({ value }) => value !== null && coversIp(value, words));

  // In the order in which they are read: short and decisive files first, the relays' 280,000 networks last.
  const lists = {
    tor: list('tor'),
    vpn: list('vpn'),
    proxy: list('proxy'),
    abuse: list('abuse'),
    hosting: list('hosting'),
  };
  const asn = recordsOf(open('asn.mmdb', maxBytes.database, readDatabase), log);
  const city = recordsOf(open('city.mmdb', maxBytes.database, readDatabase), log);
  return {
    files,
    asn,
    city,
    lists: { ...lists, relay: list('relay') },
    publishedVpn: (words) => (publishedBy(words).length > 0 ? true : null),
    wordsOf: (name, words) => [
      ...(listFiles.get(name) ?? []).flatMap(({ value, status }) =>
        value === null ? [] : [{ file: status().file, isListed: coversIp(value, words) }],
      ),
      ...(name === 'vpn' ? publishedBy(words) : []).map(({ status }) => ({ file: status().file, isListed: true })),
    ],
  };
}

/** Finds records in a database, which may be damaged in places. */
function recordsOf(file: IpFile<IpDatabase>, log: ListLog): RecordOf {
  let damaged: IpDatabase | null = null;
  return (ip) => {
    const { value } = file;
    try {
      return value === null ? null : value.find(ip);
    } catch (error) {
      const reason = errorMessage(error);
      // Logged once, not with every address.
      if (damaged !== value)
        log.warn({ file: file.status().file, reason }, 'IP data: the database is damaged in places');
      damaged = value;
      return null;
    }
  };
}

async function readList(bytes: Buffer) {
  const { ranges, tooWide: _, ...about } = await readIpList(bytes);
  return { value: ranges, about };
}

function readDatabase(bytes: Buffer) {
  const database = openIpDatabase(bytes);
  const { builtAt, type, nodes } = database;
  return { value: database, about: { builtAt, type, nodes } };
}
