import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAddress } from '../../address/address.ts';
import { normalizeAddress } from '../../address/normalize.ts';
import { createAuditStore } from '../../audit/audit-store.ts';
import type { Config } from '../../config.ts';
import { type Lists, openLists } from '../../lists/lists.ts';
import {
  addOperatorEntries,
  type EntryChange,
  entryProblems,
  type OperatorList,
  operatorLists,
  removeOperatorEntries,
} from '../../lists/operator/operator-files.ts';
import { compileRanks } from '../../lists/ranks/ranks-compile.ts';
import { type Command, type Output, UsageError } from '../command.ts';
import { commandLog } from '../command-log.ts';
import { withWorkspace } from '../workspace.ts';
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
    positionals: [0, 0],
    run: ({ config }) => withLists(config, (lists) => listStatus(config, lists.status())),
  },
  {
    name: 'lists build',
    usage: '',
    summary: 'Compile the lists again from what is on this machine',
    options: {},
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
    positionals: [0, many],
    run: ({ config, positionals }) => refreshWithProgress(config, positionals),
  },
  listLearnCommand,
  {
    name: 'lists import-ranks',
    usage: 'FILE',
    summary: 'Use a popularity ranking of your own: rank,domain lines, plain, gzipped or zipped',
    options: {},
    positionals: [1, 1],
    async run({ config, positionals: [name = ''] }) {
      const file = join(config.dataDir, 'lists', 'ranks.bin');
      const date = statSync(name).mtime.toISOString();
      const built = compileRanks({ bytes: readFileSync(name), source: basename(name), date, file, now: Date.now });
      const { count, wrongLines } = built;
      const left = wrongLines === 0 ? '' : `; ${wrongLines} lines were left out`;
      return { json: { count, wrong_lines: wrongLines }, text: `Imported ${count} ranks${left}` };
    },
  },
  {
    name: 'lists add',
    usage: 'LIST DOMAIN…',
    summary: `Put domains on a list of your own (${domainLists.join(', ')}); a running server follows within a second`,
    options: {},
    positionals: [2, many],
    run: ({ config, positionals: [list = '', ...domains] }) => change(config, 'add', domainList(list), domains),
  },
  {
    name: 'lists remove',
    usage: 'LIST DOMAIN…',
    summary: 'Take domains off a list of your own',
    options: {},
    positionals: [2, many],
    run: ({ config, positionals: [list = '', ...domains] }) => change(config, 'remove', domainList(list), domains),
  },
  {
    name: 'lists add-address',
    usage: 'ADDRESS…',
    summary: 'Mark single addresses as disposable; only a SHA-256 of each is kept',
    options: {},
    positionals: [1, many],
    run: ({ config, positionals }) => change(config, 'add', 'addresses', positionals.map(addressHash)),
  },
  {
    name: 'lists remove-address',
    usage: 'ADDRESS…',
    summary: 'Take single addresses off that list',
    options: {},
    positionals: [1, many],
    run: ({ config, positionals }) => change(config, 'remove', 'addresses', positionals.map(addressHash)),
  },
];

async function withLists(config: Config, work: (lists: Lists) => Output | Promise<Output>): Promise<Output> {
  const log = commandLog();
  const lists = await openLists({ dataDir: config.dataDir, log, now: Date.now, pollMs: 0 });
  try {
    return await work(lists);
  } finally {
    lists.close();
  }
}

function domainList(name: string): OperatorList {
  const list = domainLists.find((known) => known === name);
  if (list === undefined) throw new UsageError(`LIST is one of ${domainLists.join(', ')}, not "${name}"`);
  return list;
}

/** The form in which the list of addresses holds one: of whatever way of writing it, the hash of the mailbox. */
function addressHash(text: string): string {
  const address = parseAddress(text);
  if (address === null) throw new Error(`"${text}" is not an email address; nothing was changed`);
  return hash('sha256', normalizeAddress(address));
}

/** All of the values or none: a typing mistake must not leave half of a command done. */
async function change(
  config: Config,
  what: 'add' | 'remove',
  list: OperatorList,
  values: readonly string[],
): Promise<Output> {
  const problems = entryProblems(list, values);
  if (problems.length > 0) {
    const named = problems.map(({ text, reason }) => `"${text}" is ${reason}`).join('; ');
    throw new Error(`${named}. Nothing was changed`);
  }
  const folder = join(config.dataDir, 'lists', 'operator');
  const work = what === 'add' ? addOperatorEntries : removeOperatorEntries;
  const outcome = await work(folder, list, values);
  if (outcome.changed.length > 0) await noteChange(config, what, list, outcome.changed);
  return report(what, list, outcome);
}

/** How many entries the trail names; of more it keeps only the number. */
const namedAtMost = 10;

/** The lists are files, so there is no transaction to note it in: it is noted once it is done. */
async function noteChange(
  config: Config,
  what: 'add' | 'remove',
  list: OperatorList,
  entries: readonly string[],
): Promise<void> {
  const action = what === 'add' ? 'list.added' : 'list.removed';
  const detail = { count: entries.length, entries: entries.slice(0, namedAtMost) };
  await withWorkspace(config, ({ db, by }) =>
    createAuditStore(db).record(by, { action, subject: list, accountId: null, detail }, Date.now()),
  );
}

function report(what: 'add' | 'remove', list: OperatorList, { changed, unchanged }: EntryChange): Output {
  const done = what === 'add' ? 'added' : 'removed';
  const already = what === 'add' ? 'already there' : 'not there';
  const rest = unchanged.length === 0 ? '' : `, ${unchanged.length} ${already}`;
  return {
    json: { list, [done]: changed, unchanged },
    text: `${list}: ${changed.length} ${done}${rest}`,
  };
}
