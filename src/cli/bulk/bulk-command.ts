import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSignals } from '../../library/create-signals.ts';
import { addressFields, domainFields } from '../../lookups/lookup-fields.ts';
import { type Command, type Invocation, type Output, UsageError } from '../command.ts';
import { commandLog } from '../command-log.ts';
import { announceListBuild } from '../list-build.ts';
import { addSignals, type BulkSource } from './add-signals.ts';
import { csvFormat, jsonFormat, ndjsonFormat } from './bulk-format.ts';
import { type BulkOutput, openOutputFile, standardOutput } from './bulk-output.ts';
import { describeLayout, detectLayout, type Layout, type LayoutOptions } from './detect-layout.ts';
import { engineSource } from './engine-source.ts';
import { createMeter } from './meter.ts';
import { peek } from './record-chunks.ts';
import { serverSource } from './server-source.ts';

const standardColumns = 'normalized_email,disposable,public_domain,role_account,mx,did_you_mean';
const standardDomainColumns = 'domain,disposable,public_domain,mx,did_you_mean';
/** Small, because the records of a piece are in memory together. */
const pieceBytes = 131_072;
/** Small, because a killed run pays again for answers that it had not recorded. */
const serverPieceBytes = 8_192;
/** How much of the input is used to detect its layout. */
const headBytes = 65_536;

/** `signalpost bulk FILE|-`. */
export const bulkCommand: Command = {
  name: 'bulk',
  usage: 'FILE|- [--out FILE] [--domains] [--offline | --url URL] [options]',
  summary: 'Add signals to every line of a file; with --out, it resumes an interrupted run',
  options: {
    domains: { type: 'boolean', help: 'the file holds domains, or domains and addresses' },
    column: {
      type: 'string',
      value: 'NAME',
      help: 'the column of the values, by heading or number; detected by default',
    },
    separator: { type: 'string', value: 'S', help: 'one character, or tab; detected by default' },
    encoding: { type: 'string', value: 'E', help: 'utf-8, utf-16le, utf-16be or windows-1252; detected by default' },
    format: { type: 'string', value: 'csv|ndjson', help: 'by default, the ending of the file name decides' },
    out: { type: 'string', value: 'FILE', help: 'write here instead of standard output; an interrupted run resumes' },
    columns: { type: 'string', value: 'A,B,…', help: 'the signals to add' },
    offline: { type: 'boolean', help: 'use the lists only, without the network' },
    url: { type: 'string', value: 'URL', help: 'query this server instead of opening the lists here' },
    key: { type: 'string', value: 'KEY', help: 'its key; better set SIGNALPOST_KEY' },
  },
  example: 'bulk people.csv --out checked.csv',
  positionals: [1, 1],
  async run(invocation) {
    const { options, flags, config, positionals, io } = invocation;
    const path = positionals[0] === '-' ? null : resolve(positionals[0] ?? '');
    const isOffline = config.offline || flags.has('offline');
    const domains = flags.has('domains');
    const columns = columnsOf(invocation);
    const layoutOptions = layoutOptionsOf(invocation, path ?? '');
    const server = serverOf(invocation);
    const { key: _, ...notSecret } = options;
    const inputSize = path === null ? null : sizeOf(path);
    const order = { words: JSON.stringify([path, isOffline, domains, notSecret]), inputSize };
    const stream =
      path === null
        ? io.stdin
        : createReadStream(path, { highWaterMark: server === null ? pieceBytes : serverPieceBytes });
    const { head, isWhole, input } = await peek(stream, headBytes);
    const detected = detectLayout(head, isWhole, layoutOptions);
    await using output =
      options.out === undefined ? standardOutput(io.stdout) : await openOutputFile(resolve(options.out), order);
    const layout = output.resumed ?? detected.layout;
    const description = describeLayout({ ...detected, layout });
    io.stderr.write(`${path === null ? 'standard input' : positionals[0]}: ${description}\n`);
    const before = output.progress;
    if (output.resumed !== null)
      io.stderr.write(
        `resuming after line ${before.inputLines}: ${before.records} lines are already in ${options.out}\n`,
      );
    const inputFormat =
      layout.separator === null
        ? ndjsonFormat(layout, layoutOptions.column ?? 'email', columns)
        : csvFormat(layout, columns);
    const toJson = invocation.json && options.out === undefined;
    const format = toJson ? jsonFormat(inputFormat, columns) : inputFormat;
    if (output.resumed === null)
      await writeLead(output, layout, head.subarray(0, layout.leadBytes), toJson ? description : null);
    const work = async (source: BulkSource): Promise<void> => {
      // Created here, so that the rate excludes the time to open the lists.
      using meter = createMeter(io.stderr, inputSize, before);
      await addSignals(input, { layout, format, output, source, meter });
    };
    try {
      await (server === null
        ? withEngine(invocation, isOffline, work)
        : work(serverSource(server.url, server.key, domains)));
    } finally {
      if (toJson) io.stdout.write(`\n],"records":${output.progress.records}}\n`);
    }
    output.finish();
    return report(invocation, output, { detected: description, resumed_from: output.resumed && before.records });
  },
};

/** Reports the written lines, unless they went to standard output. */
function report({ options: { out }, io }: Invocation, { progress }: BulkOutput, found: object): Output | null {
  const { records, shortRows } = progress;
  if (shortRows > 0) io.stderr.write(`${shortRows} rows had fewer cells than the first one; empty cells were added\n`);
  if (out === undefined) return null;
  return {
    json: { records, out: resolve(out), ...found, short_rows: shortRows },
    text: `${records} lines written to ${out}`,
  };
}

function sizeOf(path: string): number {
  const found = statSync(path);
  if (found.isDirectory()) throw new Error(`${path}: it is a folder`);
  return found.size;
}

/** Keeps the bytes before the first record, or replaces them by the beginning of a JSON document with a description. */
async function writeLead(
  output: BulkOutput,
  layout: Layout,
  lead: Uint8Array,
  description: string | null,
): Promise<void> {
  output.begin(layout);
  if (lead.length === 0 && description === null) return;
  const inputSha256 = createHash('sha256').update(lead).digest('hex');
  const position = { inputBytes: lead.length, inputSha256, inputLines: layout.leadLines };
  const opening = description === null ? lead : Buffer.from(`{"detected":${JSON.stringify(description)},"rows":[`);
  await output.write(opening, { ...output.progress, ...position });
}

async function withEngine(
  { config, flags, io }: Invocation,
  isOffline: boolean,
  work: (source: BulkSource) => Promise<void>,
): Promise<void> {
  announceListBuild(config.dataDir, io);
  const { dataDir, dnsServers, dnsDeadlineMs: deadlineMs, dnsMustExist, dnsblZones: blocklists } = config;
  const mustExist = dnsMustExist.length === 0 ? (false as const) : dnsMustExist;
  const dns = { deadlineMs, mustExist, blocklists, ...(dnsServers === null ? {} : { servers: dnsServers }) };
  const signals = await createSignals({ dataDir, offline: isOffline, dns }, commandLog());
  try {
    await work(engineSource(signals, isOffline, flags.has('domains')));
  } finally {
    await signals.close();
  }
}

/** The server to query and its key; null when this process looks values up itself. */
function serverOf({ options, flags, config }: Invocation): { url: string; key: string } | null {
  const { url, key = config.clientKey } = options;
  if (url === undefined) {
    if (options.key !== undefined) throw new UsageError('--key needs --url');
    return null;
  }
  if (flags.has('offline')) throw new UsageError('--offline and --url exclude each other');
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.search !== '')
    throw new UsageError('--url must be the address of a server, such as https://signals.example.com');
  if (key === null || !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(
      'the key is missing or malformed: set SIGNALPOST_KEY, or give --key, which others can see in the process list',
    );
  return { url, key };
}

function layoutOptionsOf({ options, flags }: Invocation, name: string): LayoutOptions {
  const { format = /\.(nd)?jsonl?$/i.test(name) ? 'ndjson' : 'csv', separator, encoding, column } = options;
  if (format !== 'csv' && format !== 'ndjson') throw new UsageError(`--format is csv or ndjson, not "${format}"`);
  const domains = flags.has('domains');
  const standard = format === 'ndjson' ? (domains ? 'domain' : 'email') : undefined;
  return { format, separator, encoding, column: column ?? standard, domains };
}

function columnsOf({ options, flags }: Invocation): readonly string[] {
  const known = [...addressFields, ...domainFields].flatMap(({ place, dependents }) => [
    place.name,
    ...dependents.map((field) => field.place.name),
  ]);
  const standard = flags.has('domains') ? standardDomainColumns : standardColumns;
  const columns = (options.columns ?? standard).split(',').map((each) => each.trim());
  const wrong = columns.filter((each) => !known.includes(each) && each !== 'domain');
  if (wrong.length > 0)
    throw new UsageError(`--columns has unknown signals: ${wrong.join(', ')}; use any of ${known.join(', ')}`);
  return columns;
}
