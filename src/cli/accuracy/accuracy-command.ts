import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { registered } from '../../signals/registry.ts';
import { checkAll, withEngine } from '../check-command.ts';
import { evidenceOf } from '../check-text.ts';
import { type Command, table, UsageError } from '../command.ts';
import { type LabelledRow, parseLabelled, score, type WrongRow } from './accuracy.ts';

/** A labelled file is read whole. */
const maxBytes = 64 * 1024 * 1024;
/** The fields that a label may name: those of a lookup that have one value. */
const fields: ReadonlySet<string> = new Set(
  registered().flatMap(({ signal: { lookup, schema } }) =>
    lookup === undefined || lookup.explainOnly || schema.type === 'array' ? [] : [lookup.name],
  ),
);

/** `signalpost accuracy FILE`. */
export const accuracyCommand: Command = {
  name: 'accuracy',
  usage: 'FILE [--offline] | --labels',
  summary: 'Score this instance against a labelled file of value,label lines; --labels lists the labels',
  options: {
    offline: { type: 'boolean', help: 'use the lists only, without the network' },
    labels: { type: 'boolean', help: 'list the labels that a line may have' },
  },
  example: 'accuracy labelled.csv --offline',
  positionals: [0, 1],
  async run({ config, flags, positionals, io }) {
    if (flags.has('labels')) return { json: { labels: [...fields] }, text: labelsText() };
    if (positionals.length === 0) throw new UsageError('a FILE of value,label lines is missing');
    const rows = readRows(positionals[0] ?? '');
    const settings: Config = { ...config, offline: config.offline || flags.has('offline'), listsRefresh: 'off' };
    return withEngine(settings, io, async ({ lookup }) => {
      const values = [...new Set(rows.map(({ value }) => value))];
      const checked = await checkAll(lookup, values, { explain: false, wait: new Set() });
      const bodies = new Map(checked.map((each) => [each.value, 'body' in each ? each.body : null]));
      const { scores, wrong } = score(rows, ({ value }) => bodies.get(value) ?? null);
      const wrongValues = [...new Set(wrong.map(({ value }) => value))];
      const explained = await checkAll(lookup, wrongValues, { explain: true, wait: new Set() });
      const evidence = new Map(explained.map((each) => [each.value, each]));
      const withEvidence = wrong.map((row) => {
        const found = evidence.get(row.value);
        return { ...row, evidence: found === undefined ? [] : evidenceOf(found, row.field) };
      });
      return { json: { rows: rows.length, scores, wrong: withEvidence }, text: text(scores, withEvidence) };
    });
  },
};

function labelsText(): string {
  return [
    'A label is one of these fields, which must then be true; with ! before it, it must be false or null;',
    'with : and a text after it (did_you_mean:gmail.com), it must have that value.',
    ...[...fields].map((field) => `  ${field}`),
  ].join('\n');
}

function readRows(path: string): LabelledRow[] {
  if (statSync(path).size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
  try {
    return parseLabelled(readFileSync(path, 'utf8'), fields);
  } catch (error) {
    throw new Error(`${path}, ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Scores = ReturnType<typeof score>['scores'];

function text(scores: Scores, wrong: readonly (WrongRow & { readonly evidence: readonly string[] })[]): string {
  const rows = scores.map(({ field, positives, found, negatives, falsePositives }) => [
    field,
    positives === 0 ? '–' : `${found} of ${positives} (${percent(found, positives)})`,
    negatives === 0 ? '–' : `${falsePositives} of ${negatives} (${percent(falsePositives, negatives)})`,
  ]);
  const lines = wrong.flatMap(({ value, field, expected, answer, reason, evidence }) => [
    `${value}: ${field} is ${JSON.stringify(answer)}, labelled ${JSON.stringify(expected)}${reason === '' ? '' : ` (${reason})`}`,
    ...evidence.map((each) => `    ${each}`),
  ]);
  return [table(['field', 'found', 'false positives'], rows), ...lines].join('\n');
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
