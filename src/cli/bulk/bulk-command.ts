import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSignals } from '../../library/create-signals.ts';
import type { Signals } from '../../library/signals.ts';
import { addressFields, domainFields } from '../../lookups/lookup-fields.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { type BulkAnswer, type BulkFormat, csvFormat, ndjsonFormat } from './bulk-format.ts';
import { type BulkOutput, openOutputFile, standardOutput } from './bulk-output.ts';
import { recordChunks } from './record-chunks.ts';

/** So many addresses wait for the network at once. */
const atOnce = 256;
const pieceBytes = 1_048_576;
const standardColumns = 'normalized_email,disposable,public_domain,role_account,mx,did_you_mean';

/** `signalpost bulk FILE|-`. */
export const bulkCommand: Command = {
  name: 'bulk',
  usage: 'FILE|- [--column NAME] [--format csv|ndjson] [--out FILE] [--columns A,B,…] [--offline]',
  summary: 'Add signals to every line of a file; with --out, a run that was broken off goes on where it was',
  options: {
    column: { type: 'string' },
    format: { type: 'string' },
    out: { type: 'string' },
    columns: { type: 'string' },
    offline: { type: 'boolean' },
  },
  positionals: [1, 1],
  async run(invocation) {
    const { options, flags, config, positionals } = invocation;
    const name = positionals[0] ?? '-';
    const isOffline = config.offline || flags.has('offline');
    const format = formatOf(invocation, name);
    const order = JSON.stringify([name === '-' ? name : resolve(name), isOffline, options]);
    await using output =
      options.out === undefined ? standardOutput() : await openOutputFile(resolve(options.out), order);
    const { dataDir, dnsServers, dnsDeadlineMs: deadlineMs, dnsMustExist, dnsblZones: blocklists } = config;
    const mustExist = dnsMustExist.length === 0 ? (false as const) : dnsMustExist;
    const dns = { deadlineMs, mustExist, blocklists, ...(dnsServers === null ? {} : { servers: dnsServers }) };
    const signals = await createSignals({ dataDir, offline: isOffline, dns });
    try {
      await addSignals(name, format, output, isOffline ? now(signals) : (email) => signals.email(email).then(asAnswer));
    } finally {
      await signals.close();
    }
    output.finish();
    const { records } = output.progress;
    if (options.out === undefined) return null;
    return { json: { records, out: resolve(options.out) }, text: `${records} lines written to ${options.out}` };
  },
};

type Ask = (email: string) => BulkAnswer | Promise<BulkAnswer>;

const asAnswer = (answer: object | null): BulkAnswer => answer as BulkAnswer;
const now =
  (signals: Signals): Ask =>
  (email) =>
    asAnswer(signals.emailNow(email));

async function addSignals(name: string, format: BulkFormat, output: BulkOutput, ask: Ask): Promise<void> {
  const input = name === '-' ? process.stdin : createReadStream(resolve(name), { highWaterMark: pieceBytes });
  const { inputBytes } = output.progress;
  const meter = createMeter(name === '-' ? null : statSync(resolve(name)).size);
  let { first } = output.progress;
  if (first !== null) format.start(first);
  for await (const { records, endByte } of recordChunks(input, inputBytes, format.quoted)) {
    const heading = first === null ? format.start(records[0] ?? '') : null;
    first ??= records[0] ?? '';
    const rest = heading === null ? records : records.slice(1);
    const lines = heading === null ? [] : [heading];
    for (let at = 0; at < rest.length; at += atOnce) {
      const some = rest.slice(at, at + atOnce);
      const answers = some.map((record) => ask(format.addressOf(record)));
      const settled = answers.some((answer) => answer instanceof Promise) ? await Promise.all(answers) : answers;
      for (const [index, record] of some.entries()) lines.push(format.write(record, settled[index] as BulkAnswer));
    }
    const done = output.progress.records + rest.length;
    await output.write(`${lines.join('\n')}\n`, { inputBytes: endByte, records: done, first });
    meter(done, endByte, inputBytes);
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
}

function formatOf({ options }: Invocation, name: string): BulkFormat {
  const { format = /\.(nd)?jsonl?$/i.test(name) ? 'ndjson' : 'csv', column = 'email' } = options;
  const known = [...addressFields, ...domainFields].flatMap(({ place, dependents }) => [
    place.name,
    ...dependents.map((field) => field.place.name),
  ]);
  const columns = (options.columns ?? standardColumns).split(',').map((each) => each.trim());
  const wrong = columns.filter((each) => !known.includes(each) && each !== 'domain');
  if (wrong.length > 0) throw new UsageError(`there is no signal ${wrong.join(', ')}; there are ${known.join(', ')}`);
  if (format === 'csv') return csvFormat(column, columns);
  if (format === 'ndjson') return ndjsonFormat(column, columns);
  throw new UsageError('--format is csv or ndjson');
}

/** A bar with rate and time left, on a terminal alone. */
function createMeter(sizeBytes: number | null): (records: number, endByte: number, fromByte: number) => void {
  const startedMs = performance.now();
  return (records, endByte, fromByte) => {
    if (!process.stderr.isTTY) return;
    const seconds = (performance.now() - startedMs) / 1_000;
    const share = sizeBytes === null || sizeBytes === 0 ? null : endByte / sizeBytes;
    const left = share === null ? null : ((1 - share) * (sizeBytes ?? 0) * seconds) / Math.max(endByte - fromByte, 1);
    const bar = share === null ? '' : `[${'#'.repeat(Math.round(share * 30)).padEnd(30)}] `;
    const rate = Math.round(((endByte - fromByte) / Math.max(endByte, 1)) * (records / seconds)).toLocaleString('en');
    const eta = left === null ? '' : `, ${Math.ceil(left)} s left`;
    process.stderr.write(`\r${bar}${records.toLocaleString('en')} lines, ${rate} a second${eta}\u001b[K`);
  };
}
