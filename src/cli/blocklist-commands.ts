import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '../../csv/csv-line.ts';
import type { Blocklist, BlocklistEntry } from '../blocklist/blocklist.ts';
import { entryBody } from '../blocklist/blocklist-endpoints.ts';
import { type DomainLine, domainLines } from '../blocklist/domain-lines.ts';
import { type ImportCounts, importDomains } from '../blocklist/import-domains.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import type { Command, Invocation, Output } from './command.ts';
import { inputText } from './input-text.ts';
import { withOwner } from './open-service.ts';
import { ownerOptions, ownerUsage } from './owner-options.ts';

const progressEveryMs = 1_000;
/** The JSON result repeats this many wrong lines; standard error has all of them. */
const maxWrongLines = 1_000;

/** `signalpost blocklist …`. */
export const blocklistCommands: readonly Command[] = [
  {
    name: 'blocklist import',
    usage: `${ownerUsage} [FILE]`,
    summary:
      'Add the domains of a file or of standard input: one per line (# begins a comment), or CSV with a column "domain"',
    options: ownerOptions,
    example: 'blocklist import --account ACCOUNT_ID --environment production domains.txt',
    positionals: [0, 1],
    run: (invocation) => withBlocklist(invocation, (opened) => importFile(opened, invocation)),
  },
  {
    name: 'blocklist export',
    usage: `${ownerUsage} [--csv] [FILE]`,
    summary: 'Write the listed domains, oldest first, to a file or to standard output',
    options: { ...ownerOptions, csv: { type: 'boolean', help: 'with the time of each entry, as CSV' } },
    example: 'blocklist export --account ACCOUNT_ID --environment production --csv domains.csv',
    positionals: [0, 1],
    run: (invocation) =>
      withBlocklist(invocation, ({ blocklist, author }) => exportFile(blocklist, author, invocation)),
  },
];

/** The blocklist a command works on. */
interface Opened {
  readonly blocklist: Blocklist;
  readonly author: Author;
  /** The most domains the plan of the account allows. */
  maxEntries(): Promise<number>;
}

const withBlocklist = <T>(invocation: Invocation, work: (opened: Opened) => Promise<T>): Promise<T> =>
  withOwner(invocation, ({ blocklist, accounts }, author) => {
    const maxEntries = async () => (await accounts.planOf(author.accountId)).blocklistEntries;
    return work({ blocklist, author, maxEntries });
  });

async function importFile(
  { blocklist, author, maxEntries }: Opened,
  { positionals: [name = '-'], io }: Invocation,
): Promise<Output> {
  const atMost = await maxEntries();
  const lines = [...domainLines(await inputText(name, io))];
  const wrongLines: Pick<DomainLine, 'line' | 'text'>[] = [];
  let toldAt = performance.now();
  const counts = await importDomains(
    blocklist,
    author,
    { lines, maxEntries: atMost },
    {
      onWrong({ line, text }) {
        if (wrongLines.length < maxWrongLines) wrongLines.push({ line, text });
        io.stderr.write(`line ${line}: ${JSON.stringify(text.slice(0, 300))} is not a domain name\n`);
      },
      onProgress(soFar) {
        if (performance.now() - toldAt < progressEveryMs) return;
        toldAt = performance.now();
        io.stderr.write(`${sentence(soFar)} so far\n`);
      },
    },
  );
  const output = { json: { ...counts, wrong_lines: wrongLines }, text: sentence(counts) };
  const failures = failuresOf(counts, atMost);
  return failures.length === 0 ? output : { ...output, failure: failures.join('; ') };
}

function failuresOf({ added, skipped, wrong, refused }: ImportCounts, maxEntries: number): string[] {
  const failures: string[] = [];
  if (wrong > 0) {
    const nothing = added + skipped + refused === 0;
    failures.push(nothing ? 'no line holds a domain name; nothing was added' : `lines without a domain name: ${wrong}`);
  }
  if (refused > 0)
    failures.push(`the blocklist is full: the plan allows at most ${maxEntries} domains; ${refused} were not added`);
  return failures;
}

const sentence = ({ added, skipped, changed, wrong, refused }: ImportCounts): string =>
  `${added} added, ${skipped} already listed${changed === 0 ? '' : ` (${changed} with a new reason)`}, ${wrong} wrong${refused === 0 ? '' : `, ${refused} without room`}`;

async function exportFile(
  blocklist: Blocklist,
  owner: Owner,
  { positionals: [name = '-'], flags, json, io }: Invocation,
): Promise<Output | null> {
  const csv = flags.has('csv');
  if (name === '-' && json) {
    const domains: object[] = [];
    for await (const entry of blocklist.all(owner)) domains.push(entryBody.body(entry));
    return { json: { exported: domains.length, domains }, text: '' };
  }
  let exported = 0;
  async function* text(): AsyncGenerator<string> {
    if (csv) yield csvLine(['domain', 'unicode_domain', 'created_at', 'reason']);
    for await (const entry of blocklist.all(owner)) {
      exported += 1;
      yield csv ? entryLine(entry) : `${entry.domain}\n`;
    }
  }
  const file = name === '-' ? null : resolve(name);
  await pipeline(Readable.from(text()), file === null ? io.stdout : createWriteStream(file), {
    end: file !== null,
  });
  return file === null ? null : { json: { file, exported }, text: `Exported ${exported} domains to ${file}` };
}

const entryLine = ({ domain, unicode, createdAtMs, reason }: BlocklistEntry): string =>
  csvLine([domain, unicode === domain ? null : unicode, wireTime(createdAtMs), reason]);
