import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAddress } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import type { Config } from '../../config.ts';
import { type Lists, openLists } from '../../lists/lists.ts';
import { type OperatorList, operatorLists } from '../../lists/operator/operator-list.ts';
import { createOwnEntries, type EntryChange } from '../../lists/operator/own-entries.ts';
import { compileRanks } from '../../lists/ranks/ranks-compile.ts';
import { type Command, type Output, UsageError } from '../command.ts';
import { commandLog } from '../command-log.ts';
import { withService } from '../open-service.ts';
import type { Stores } from '../open-stores.ts';
import { listLearnCommand } from './list-learn.ts';
import { refreshWithProgress } from './list-refresh.ts';
import { listStatus } from './list-status.ts';

/** More arguments than any command line holds. */
const many = Number.MAX_SAFE_INTEGER;
const domainLists = operatorLists.filter((list) => list !== 'addresses');

/** `signalpost lists …`. */
export const listCommands: readonly Command[] = [
  {
    name: 'lists status',
    usage: '',
    summary: 'Show the sources of the lists, their age and size, and your own entries',
    options: {},
    example: 'lists status',
    positionals: [0, 0],
    run: ({ config }) =>
      withLists(config, async (lists, { listUsers }) => listStatus(config, lists.status(), await listUsers.list())),
  },
  {
    name: 'lists build',
    usage: '',
    summary: 'Compile the lists again from the packages and downloads on this machine',
    options: {},
    example: 'lists build',
    positionals: [0, 0],
    run: ({ config }) =>
      withLists(config, async (lists) => {
        const { builtAt, counts, sizeBytes } = await lists.rebuild();
        return {
          json: { built_at: builtAt, size_bytes: sizeBytes, counts },
          text: `Built the lists: ${counts.entries} names, ${counts.disposable} of them disposable`,
        };
      }),
  },
  {
    name: 'lists update',
    usage: '[SOURCE…]',
    summary: 'Download newer editions of the lists: of the named sources, or of every source that is on',
    options: {},
    example: 'lists update',
    positionals: [0, many],
    run: refreshWithProgress,
  },
  listLearnCommand,
  {
    name: 'lists import-ranks',
    usage: 'FILE',
    summary: 'Import a popularity ranking: rank,domain lines, plain, gzipped or zipped',
    options: {},
    example: 'lists import-ranks ranks.csv.gz',
    positionals: [1, 1],
    async run({ config, positionals: [name = ''] }) {
      const file = join(config.dataDir, 'lists', 'ranks.bin');
      const date = statSync(name).mtime.toISOString();
      const built = compileRanks({ bytes: readFileSync(name), source: basename(name), date, file, now: Date.now });
      const { count, wrongLines } = built;
      const left = wrongLines === 0 ? '' : `; ${wrongLines} lines were skipped`;
      return { json: { count, wrong_lines: wrongLines }, text: `Imported ${count} ranks${left}` };
    },
  },
  {
    name: 'lists add',
    usage: 'LIST DOMAIN…',
    summary: `Add domains to one of your own lists (${domainLists.join(', ')}); a running server uses them within a second`,
    options: {},
    example: 'lists add disposable throwaway.example',
    positionals: [2, many],
    run: ({ config, positionals: [list = '', ...domains] }) => change(config, 'add', domainList(list), domains),
  },
  {
    name: 'lists remove',
    usage: 'LIST DOMAIN…',
    summary: 'Remove domains from one of your own lists',
    options: {},
    example: 'lists remove disposable throwaway.example',
    positionals: [2, many],
    run: ({ config, positionals: [list = '', ...domains] }) => change(config, 'remove', domainList(list), domains),
  },
  {
    name: 'lists entries',
    usage: 'LIST',
    summary: 'Show the entries of one of your own lists',
    options: {},
    example: 'lists entries disposable',
    positionals: [1, 1],
    run: ({ config, positionals: [list = ''] }) => showEntries(config, domainList(list)),
  },
  {
    name: 'lists add-address',
    usage: 'ADDRESS…',
    summary: 'Mark single addresses as disposable; only a SHA-256 of each is kept',
    options: {},
    example: 'lists add-address joe@example.com',
    positionals: [1, many],
    run: ({ config, positionals }) => change(config, 'add', 'addresses', positionals.map(addressHash)),
  },
  {
    name: 'lists remove-address',
    usage: 'ADDRESS…',
    summary: 'Remove single addresses from that list',
    options: {},
    example: 'lists remove-address joe@example.com',
    positionals: [1, many],
    run: ({ config, positionals }) => change(config, 'remove', 'addresses', positionals.map(addressHash)),
  },
];

function withLists(config: Config, work: (lists: Lists, stores: Stores) => Promise<Output>): Promise<Output> {
  return withService(config, async ({ operatorEntries, stores }) => {
    const operator = await operatorEntries();
    return work(await openLists({ dataDir: config.dataDir, log: commandLog(), now: Date.now, operator }), stores);
  });
}

function domainList(name: string): OperatorList {
  const list = domainLists.find((known) => known === name);
  if (list === undefined) throw new UsageError(`LIST is one of ${domainLists.join(', ')}, not "${name}"`);
  return list;
}

/** The stored form of an address: the hash of its mailbox, for every spelling. */
function addressHash(text: string): string {
  const address = parseAddress(text);
  if (address === null) throw new Error(`"${text}" is not an email address; nothing was changed`);
  return hash('sha256', normalizeAddress(address));
}

async function showEntries(config: Config, list: OperatorList): Promise<Output> {
  const entries = await withService(config, async ({ operatorEntries }) => (await operatorEntries()).of(list));
  return { json: { list, entries }, text: entries.join('\n') };
}

async function change(
  config: Config,
  what: 'add' | 'remove',
  list: OperatorList,
  values: readonly string[],
): Promise<Output> {
  const outcome = await withService(config, async ({ operatorEntries, by }) =>
    createOwnEntries(await operatorEntries(), Date.now).change(what, list, values, by),
  );
  return report(what, list, outcome);
}

function report(what: 'add' | 'remove', list: OperatorList, outcome: EntryChange): Output {
  if ('problems' in outcome) {
    const named = outcome.problems.map(({ text, reason }) => `"${text}" is ${reason}`).join('; ');
    throw new Error(`${named}. Nothing was changed`);
  }
  const { changed, unchanged } = outcome;
  const done = what === 'add' ? 'added' : 'removed';
  const already = what === 'add' ? 'already there' : 'not there';
  const rest = unchanged.length === 0 ? '' : `, ${unchanged.length} ${already}`;
  return {
    json: { list, [done]: changed, unchanged },
    text: `${list}: ${changed.length} ${done}${rest}`,
  };
}
