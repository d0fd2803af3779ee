import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { createSignals } from '../../library/create-signals.ts';
import { addressFields, domainFields } from '../../lookups/lookup-fields.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { addSignals, type BulkSource } from './add-signals.ts';
import { type BulkFormat, csvFormat, ndjsonFormat } from './bulk-format.ts';
import { openOutputFile, standardOutput } from './bulk-output.ts';
import { engineSource } from './engine-source.ts';
import { createMeter } from './meter.ts';
import { serverSource } from './server-source.ts';

const standardColumns = 'normalized_email,disposable,public_domain,role_account,mx,did_you_mean';

/** `signalpost bulk FILE|-`. */
export const bulkCommand: Command = {
  name: 'bulk',
  usage:
    'FILE|- [--column NAME] [--format csv|ndjson] [--out FILE] [--columns A,B,…] [--offline | --url URL [--key KEY]]',
  summary: 'Add signals to every line of a file; with --out, it resumes an interrupted run',
  options: {
    column: { type: 'string' },
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
    const format = formatOf(invocation, path ?? '');
    const server = serverOf(invocation);
    const { key: _, ...notSecret } = options;
    const inputSize = path === null ? null : statSync(path).size;
    const order = { words: JSON.stringify([path, isOffline, notSecret]), inputSize };
    await using output =
      options.out === undefined ? standardOutput(io.stdout) : await openOutputFile(resolve(options.out), order);
    const work = async (source: BulkSource): Promise<void> => {
      // Begun here, so that the rate is that of the work without the opening of the lists.
      using meter = createMeter(io.stderr, inputSize, output.progress.inputBytes, output.progress.records);
      const input = path === null ? io.stdin : createReadStream(path, { highWaterMark: source.pieceBytes });
      await addSignals(input, format, output, source, meter);
    };
    await (server === null ? withEngine(config, isOffline, work) : work(serverSource(server.url, server.key)));
    output.finish();
    const { records } = output.progress;
    if (options.out === undefined) return null;
    return { json: { records, out: resolve(options.out) }, text: `${records} lines written to ${options.out}` };
  },
};

async function withEngine(
  config: Config,
  isOffline: boolean,
  work: (source: BulkSource) => Promise<void>,
): Promise<void> {
  const { dataDir, dnsServers, dnsDeadlineMs: deadlineMs, dnsMustExist, dnsblZones: blocklists } = config;
  const mustExist = dnsMustExist.length === 0 ? (false as const) : dnsMustExist;
  const dns = { deadlineMs, mustExist, blocklists, ...(dnsServers === null ? {} : { servers: dnsServers }) };
  const signals = await createSignals({ dataDir, offline: isOffline, dns });
  try {
    await work(engineSource(signals, isOffline));
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

function formatOf({ options }: Invocation, name: string): BulkFormat {
  const { format = /\.(nd)?jsonl?$/i.test(name) ? 'ndjson' : 'csv', column = 'email' } = options;
  const known = [...addressFields, ...domainFields].flatMap(({ place, dependents }) => [
    place.name,
    ...dependents.map((field) => field.place.name),
  ]);
  const columns = (options.columns ?? standardColumns).split(',').map((each) => each.trim());
  const wrong = columns.filter((each) => !known.includes(each) && each !== 'domain');
  if (wrong.length > 0)
    throw new UsageError(`--columns has unknown signals: ${wrong.join(', ')}; use any of ${known.join(', ')}`);
  if (format === 'csv') return csvFormat(column, columns);
  if (format === 'ndjson') return ndjsonFormat(column, columns);
  throw new UsageError(`--format is csv or ndjson, not "${format}"`);
}
