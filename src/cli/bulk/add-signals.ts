import type { BulkAnswer, BulkFormat } from './bulk-format.ts';
import type { BulkOutput } from './bulk-output.ts';
import type { Meter } from './meter.ts';
import { recordChunks } from './record-chunks.ts';

/** Answers for the first addresses of some, in their order: for all of them unless there is a failure. */
export interface BulkAnswers {
  readonly answers: readonly BulkAnswer[];
  readonly failure?: unknown;
}

/** What answers for addresses: a server, or the engine in this process. */
export interface BulkSource {
  /** How many bytes of the input are processed between two records of the progress. */
  readonly pieceBytes: number;
  ask(addresses: readonly string[]): Promise<BulkAnswers>;
}

/** How many addresses a source gets in one call. */
const batchSize = 256;

/** Continues an input from the recorded progress. Answers from before a failure are written before it is thrown. */
export async function addSignals(
  input: AsyncIterable<Uint8Array>,
  format: BulkFormat,
  output: BulkOutput,
  source: BulkSource,
  meter: Meter,
): Promise<void> {
  for await (const { records, after } of recordChunks(input, output.progress, format.quoted)) {
    const [first] = records;
    if (first === undefined) continue;
    const begun = output.progress.column;
    const { heading, column } = begun === null ? format.start(first) : { heading: null, column: begun };
    const rest = heading === null ? records : records.slice(1);
    const { lines, failure } = await linesFor(rest, column, format, source);
    const written = heading === null ? lines : [heading, ...lines];
    const done = { ...after(written.length), records: output.progress.records + lines.length, column };
    await output.write(written.map((line) => `${line}\n`).join(''), done);
    meter.show(done.records, done.inputBytes);
    if (failure !== undefined) throw failure;
  }
}

async function linesFor(
  records: readonly string[],
  column: number,
  format: BulkFormat,
  source: BulkSource,
): Promise<{ lines: string[]; failure?: unknown }> {
  const lines: string[] = [];
  for (let at = 0; at < records.length; at += batchSize) {
    const some = records.slice(at, at + batchSize);
    const { answers, failure } = await source.ask(some.map((record) => format.addressOf(record, column)));
    for (const [index, answer] of answers.entries()) lines.push(format.write(some[index] ?? '', answer));
    if (failure !== undefined) return { lines, failure };
  }
  return { lines };
}
