import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '../../csv/csv-line.ts';
import type { CustomList, ListEntry, NewCustomList } from '../custom-lists/custom-list.ts';
import type { CustomLists, EntriesResult } from '../custom-lists/custom-lists.ts';
import type { SentEntry } from '../custom-lists/custom-lists-input.ts';
import { keyOf } from '../custom-lists/custom-lists-store.ts';
import { entryLines } from '../custom-lists/entry-lines.ts';
import type { Author } from '../http/endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { listKinds } from '../list-kind.ts';
import { type Command, type Invocation, type Output, required, UsageError } from './command.ts';
import { inputText } from './input-text.ts';
import { withOwner } from './open-service.ts';
import type { Stores } from './open-stores.ts';
import { ownerOptions, ownerUsage } from './owner-options.ts';

const listOption: Command['options'] = { list: { type: 'string', value: 'NAME', help: 'the name of the list' } };

/** `signalpost custom-lists …`. */
export const customListCommands: readonly Command[] = [
  {
    name: 'custom-lists list',
    usage: ownerUsage,
    summary: "List an environment's own lists: name, kind, entries",
    options: ownerOptions,
    example: 'custom-lists list --account ACCOUNT_ID --environment production',
    positionals: [0, 0],
    run: (invocation) => withLists(invocation, showLists),
  },
  {
    name: 'custom-lists import',
    usage: `${ownerUsage} --list NAME [--kind K] [FILE]`,
    summary:
      'Add the entries of a file or of standard input: one per line, or CSV with the columns value, note, expires_at',
    options: {
      ...ownerOptions,
      ...listOption,
      kind: { type: 'string', value: 'K', help: `creates the list if it is missing: ${listKinds.join(', ')}` },
    },
    example:
      'custom-lists import --account ACCOUNT_ID --environment production --list Customers --kind email customers.csv',
    positionals: [0, 1],
    run: (invocation) => withLists(invocation, (opened) => importEntries(opened, invocation)),
  },
  {
    name: 'custom-lists export',
    usage: `${ownerUsage} --list NAME [FILE]`,
    summary: 'Write the entries of a list as CSV, oldest first, to a file or to standard output',
    options: { ...ownerOptions, ...listOption },
    example: 'custom-lists export --account ACCOUNT_ID --environment production --list Customers customers.csv',
    positionals: [0, 1],
    run: (invocation) => withLists(invocation, (opened) => exportEntries(opened, invocation)),
  },
];

/** The lists a command works on. */
interface Opened {
  readonly lists: CustomLists;
  readonly entries: Stores['listEntries'];
  readonly author: Author;
}

const withLists = <T>(invocation: Invocation, work: (opened: Opened) => Promise<T>): Promise<T> =>
  withOwner(invocation, ({ customLists, stores }, author) =>
    work({ lists: customLists, entries: stores.listEntries, author }),
  );

async function showLists({ lists, author }: Opened): Promise<Output> {
  const all = await lists.list(author);
  const json = all.map(({ id, name, kind, entriesCount }) => ({ id, name, kind, entries_count: entriesCount }));
  const lines = json.map(({ id, name, kind, entries_count }) => `${id} ${name} (${kind}): ${entries_count} entries`);
  return { json: { lists: json }, text: lines.join('\n') };
}

async function namedList({ lists, author }: Opened, name: string): Promise<CustomList | undefined> {
  return (await lists.list(author)).find((list) => keyOf(list.name) === keyOf(name));
}

/** The list of an import, or the one to create. */
async function chosenList(opened: Opened, invocation: Invocation): Promise<CustomList | NewCustomList> {
  const name = required(invocation, 'list');
  const given = invocation.options.kind;
  const kind = listKinds.find((known) => known === given);
  if (given !== undefined && kind === undefined)
    throw new UsageError(`--kind is one of ${listKinds.join(', ')}, not "${given}"`);
  const list = await namedList(opened, name);
  if (list !== undefined && kind !== undefined && kind !== list.kind)
    throw new Error(`the list "${list.name}" has kind ${list.kind}, not ${kind}`);
  if (list !== undefined) return list;
  if (kind === undefined) throw new Error(`there is no list "${name}"; give --kind to create it`);
  return { name, kind, description: null };
}

async function importEntries(opened: Opened, invocation: Invocation): Promise<Output> {
  const {
    positionals: [file = '-'],
    io,
  } = invocation;
  const chosen = await chosenList(opened, invocation);
  const lines = entryLines(await inputText(file, io), chosen.kind);
  const { added, updated, errors } = await addTo(opened, chosen, lines);
  for (const { index, value, error } of errors)
    io.stderr.write(`line ${lines[index]?.line}: ${JSON.stringify(value.slice(0, 300))}: ${error}\n`);
  const wrong = errors.length;
  const output = {
    json: { list: chosen.name, added, updated, wrong },
    text: `${added} added, ${updated} updated, ${wrong} wrong`,
  };
  return wrong === 0 ? output : { ...output, failure: `lines that were not added: ${wrong}` };
}

/** Adds entries in one transaction. A list that was created for entries that do not fit, or are all wrong, is removed again. */
async function addTo(
  { lists, author }: Opened,
  chosen: CustomList | NewCustomList,
  entries: readonly SentEntry[],
): Promise<EntriesResult> {
  if ('id' in chosen) return lists.addEntries(author, chosen.id, entries);
  const { id } = await lists.create(author, chosen);
  let added = 0;
  try {
    const result = await lists.addEntries(author, id, entries);
    ({ added } = result);
    return result;
  } finally {
    if (added === 0 && entries.length > 0) await lists.remove(author, id);
  }
}

async function exportEntries(opened: Opened, invocation: Invocation): Promise<Output | null> {
  const {
    positionals: [name = '-'],
    json,
    io,
  } = invocation;
  const wanted = required(invocation, 'list');
  const list = await namedList(opened, wanted);
  if (list === undefined) throw new Error(`there is no list "${wanted}"`);
  const all = () => opened.entries.all(list.id, Date.now());
  if (name === '-' && json) return { json: { entries: await Array.fromAsync(all(), wire) }, text: '' };
  let exported = 0;
  async function* text(): AsyncGenerator<string> {
    yield csvLine(['value', 'note', 'expires_at', 'created_at']);
    for await (const entry of all()) {
      exported += 1;
      yield csvLine(Object.values(wire(entry)));
    }
  }
  const file = name === '-' ? null : resolve(name);
  await pipeline(Readable.from(text()), file === null ? io.stdout : createWriteStream(file), { end: file !== null });
  return file === null ? null : { json: { file, exported }, text: `Exported ${exported} entries to ${file}` };
}

const wire = ({ value, note, expiresAtMs, createdAtMs }: ListEntry) => ({
  value,
  note,
  expires_at: expiresAtMs === null ? null : wireTime(expiresAtMs),
  created_at: wireTime(createdAtMs),
});
