import { type InputRecord, isBlank } from '../../../csv/scan-records.ts';
import type { BulkAnswer, BulkFormat } from './bulk-format.ts';
import type { BulkOutput } from './bulk-output.ts';
import type { Layout } from './detect-layout.ts';
import type { Meter } from './meter.ts';
import { recordChunks } from './record-chunks.ts';

/** Answers for the first values of some, in their order: for all of them unless there is a failure. */
export interface BulkAnswers {
  readonly answers: readonly BulkAnswer[];
  readonly failure?: unknown;
}

/** Looks up addresses and domains: a server, or the engine in this process. */
export interface BulkSource {
  ask(values: readonly string[]): Promise<BulkAnswers>;
}

/** A run that adds signals to the records of an input. */
export interface BulkRun {
  readonly layout: Layout;
  readonly format: BulkFormat;
  readonly output: BulkOutput;
  readonly source: BulkSource;
  readonly meter: Meter;
}

/** How many values a source gets in one call. */
const batchSize = 256;

/** Continues an input from the recorded progress. Answers from before a failure are written before it is thrown. */
export async function addSignals(input: AsyncIterable<Uint8Array>, run: BulkRun): Promise<void> {
  const { layout, format, output, meter } = run;
  for await (const { records, problem, after } of recordChunks(input, output.progress, layout)) {
    const { headingRead } = output.progress;
    const headingAt = layout.hasHeading && !headingRead ? records.findIndex((record) => !isBlank(record)) : -1;
    const { lines, rows, shortRows, failure } = await linesFor(records, headingAt, run);
    const done = {
      ...after(lines.length),
      records: output.progress.records + rows,
      shortRows: output.progress.shortRows + shortRows,
      headingRead: headingRead || headingAt >= 0,
    };
    await output.write(format.toBytes(lines.join('')), done);
    meter.show(done.records, done.inputBytes);
    if (failure !== undefined) throw failure;
    if (problem !== undefined) throw problem;
  }
}

interface Written {
  /** The output for the first records, one text each. */
  readonly lines: string[];
  readonly rows: number;
  readonly shortRows: number;
  readonly failure?: unknown;
}

async function linesFor(
  records: readonly InputRecord[],
  headingAt: number,
  { layout, format, source }: BulkRun,
): Promise<Written> {
  const lines: string[] = [];
  let rows = 0;
  let shortRows = 0;
  const isRow = (record: InputRecord, at: number): boolean => at !== headingAt && !isBlank(record);
  for (let start = 0; start < records.length; start += batchSize) {
    const some = records.slice(start, start + batchSize);
    const { values, problem } = readValues(
      some.filter((record, at) => isRow(record, start + at)),
      format,
    );
    const { answers, failure } = await source.ask(values);
    let answered = 0;
    for (const [at, record] of some.entries()) {
      if (!isRow(record, start + at)) {
        lines.push(start + at === headingAt ? format.heading(record) : format.blank(record));
        continue;
      }
      const answer = answers[answered];
      if (answer === undefined) return { lines, rows, shortRows, failure: failure ?? problem };
      try {
        lines.push(format.write(record, answer));
      } catch (error) {
        return { lines, rows, shortRows, failure: error };
      }
      answered += 1;
      rows += 1;
      if (record.cells.length < layout.cells) shortRows += 1;
    }
  }
  return { lines, rows, shortRows };
}

/** The values of the first records, up to one that cannot be read. */
function readValues(records: readonly InputRecord[], format: BulkFormat): { values: string[]; problem?: unknown } {
  const values: string[] = [];
  try {
    for (const record of records) values.push(format.valueOf(record));
    return { values };
  } catch (problem) {
    return { values, problem };
  }
}
