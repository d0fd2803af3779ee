import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { createSignals } from '../../library/create-signals.ts';
import { addressFields, domainFields } from '../../lookups/lookup-fields.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
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
/** Small, because a killed run pays again for answers that it had not recorded. */
const serverPieceBytes = 8_192;
/** How much of the input shows how it is written. */
const headBytes = 65_536;

/** `signalpost bulk FILE|-`. */
export const bulkCommand: Command = {
  name: 'bulk',
  usage:
    'FILE|- [--domains] [--column NAME] [--separator S] [--encoding E] [--format csv|ndjson] [--out FILE] [--columns A,B,…] [--offline | --url URL [--key KEY]]',
  summary: 'Add signals to every line of a file; with --out, it resumes an interrupted run',
  options: {
    domains: { type: 'boolean' },
    column: { type: 'string' },
    separator: { type: 'string' },
    encoding: { type: 'string' },
    format: { type: 'string' },
    out: { type: 'string' },
    columns: { type: 'string' },
    offline: { type: 'boolean' },
    url: { type: 'string' },
    key: { type: 'string' },
  },
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
    const inputSize = path === null ? null : statSync(path).size;
    const order = { words: JSON.stringify([path, isOffline, domains, notSecret]), inputSize };
    const stream =
      path === null
        ? io.stdin
        : createReadStream(path, { highWaterMark: server === null ? 1_048_576 : serverPieceBytes });
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
      await writeLead(output, layout, head.subarray(0, layout.leadBytes), toJson, description);
    const work = async (source: BulkSource): Promise<void> => {
      // Created here, so that the rate excludes the time to open the lists.
      using meter = createMeter(io.stderr, inputSize, before.inputBytes, before.records);
      await addSignals(input, layout, format, output, source, meter);
    };
    try {
      await (server === null
        ? withEngine(config, isOffline, domains, work)
        : work(serverSource(server.url, server.key, domains)));
    } finally {
      if (toJson) io.stdout.write(`\n],"records":${output.progress.records}}\n`);
    }
    output.finish();
    const { records, shortRows } = output.progress;
    if (shortRows > 0)
      io.stderr.write(`${shortRows} rows had fewer cells than the first one; empty cells were added\n`);
    if (options.out === undefined) return null;
    const resumedFrom = output.resumed === null ? null : before.records;
    return {
      json: {
        records,
        out: resolve(options.out),
        detected: description,
        resumed_from: resumedFrom,
        short_rows: shortRows,
      },
      text: `${records} lines written to ${options.out}`,
    };
  },
};

/** What comes before the first record is kept, or replaced by the beginning of a JSON document. */
async function writeLead(
  output: BulkOutput,
  layout: Layout,
  lead: Uint8Array,
  toJson: boolean,
  description: string,
): Promise<void> {
  output.begin(layout);
  if (lead.length === 0 && !toJson) return;
  const inputSha256 = createHash('sha256').update(lead).digest('hex');
  const position = { inputBytes: lead.length, inputSha256, inputLines: layout.leadLines };
  const opening = Buffer.from(`{"detected":${JSON.stringify(description)},"rows":[`);
  await output.write(toJson ? opening : lead, { ...output.progress, ...position });
}

async function withEngine(
  config: Config,
  isOffline: boolean,
  domains: boolean,
  work: (source: BulkSource) => Promise<void>,
): Promise<void> {
  const { dataDir, dnsServers, dnsDeadlineMs: deadlineMs, dnsMustExist, dnsblZones: blocklists } = config;
  const mustExist = dnsMustExist.length === 0 ? (false as const) : dnsMustExist;
  const dns = { deadlineMs, mustExist, blocklists, ...(dnsServers === null ? {} : { servers: dnsServers }) };
  const signals = await createSignals({ dataDir, offline: isOffline, dns });
  try {
    await work(engineSource(signals, isOffline, domains));
  } finally {
    await signals.close();
  }
}

/** The server to ask and the key to ask it with; null when this process answers by itself. */
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
