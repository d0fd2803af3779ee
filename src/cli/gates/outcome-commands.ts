import { outcomeNames } from '../../gates/decisions/outcome.ts';
import { maxOutcomes, type ReportedOutcome } from '../../gates/outcomes/outcomes-input.ts';
import { type Command, type Invocation, type Output, UsageError } from '../command.ts';
import { inputText } from '../input-text.ts';
import { withOwner } from '../open-service.ts';
import { ownerOptions, ownerUsage } from '../owner-options.ts';
import { outcomeRows } from './outcome-rows.ts';

/** Wrong lines that are shown; the others are counted. */
const maxShown = 100;

/** `signalpost outcomes import`. */
export const outcomeCommands: readonly Command[] = [
  {
    name: 'outcomes import',
    usage: `${ownerUsage} [--outcome good|bad] [--column NAME] [--dry-run] [FILE]`,
    summary: 'Report the outcomes in a CSV file, or in standard input, with a column of addresses or decision ids',
    options: {
      ...ownerOptions,
      outcome: { type: 'string', value: 'O', help: 'good or bad, for lines without a column "outcome" or "result"' },
      column: { type: 'string', value: 'NAME', help: 'the column of addresses or decision ids' },
      'dry-run': { type: 'boolean', help: 'count what the file matches, and store nothing' },
    },
    example: 'outcomes import --account ACCOUNT_ID --environment production --outcome bad chargebacks.csv',
    positionals: [0, 1],
    run: importOutcomes,
  },
];

async function importOutcomes(invocation: Invocation): Promise<Output> {
  const { options, flags, io } = invocation;
  const outcome = outcomeNames.find((name) => name === options.outcome);
  if (options.outcome !== undefined && outcome === undefined) throw new UsageError('--outcome is good or bad');
  const [name = '-'] = invocation.positionals;
  return withOwner(invocation, async (service, owner) => {
    const rows = outcomeRows(await inputText(name, io), { outcome, column: options.column });
    const outcomes = await service.outcomes();
    const report = flags.has('dry-run') ? outcomes.preview : outcomes.apply;
    const counts = { lines: 0, matched: 0, decisions: 0, unmatched: 0, wrong: 0 };
    let batch: ReportedOutcome[] = [];
    const apply = async (): Promise<void> => {
      const { matched, decisions, unmatched } = await report(owner, batch);
      counts.matched += matched;
      counts.decisions += decisions;
      counts.unmatched += unmatched.length;
      batch = [];
    };
    for (const row of rows) {
      counts.lines += 1;
      if ('item' in row) batch.push(row.item);
      else if (++counts.wrong <= maxShown) io.stderr.write(`line ${row.line}: ${row.problem}\n`);
      if (batch.length === maxOutcomes) await apply();
    }
    await apply();
    const { lines, matched, decisions, unmatched, wrong } = counts;
    const text = `${flags.has('dry-run') ? 'Nothing was stored. ' : ''}${matched} of ${lines} lines matched ${decisions} decisions; ${unmatched} are not in the log, ${wrong} are wrong`;
    return { json: counts, text, ...(wrong === 0 ? {} : { failure: `lines that were not imported: ${wrong}` }) };
  });
}
