/** The lists of a checkout with the packages that are installed, as scripts/edition-state.ts writes them. */
export interface EditionState {
  readonly sources: readonly { readonly name: string; readonly version: string; readonly count: number }[];
  /** Every entry that is disposable. */
  readonly disposable: readonly string[];
  readonly scores: readonly {
    readonly set: string;
    readonly field: string;
    readonly positives: number;
    readonly found: number;
  }[];
  /** Rows of the sets that must not be flagged and are: `set: value field`. */
  readonly falsePositives: readonly string[];
}

/** Why an edition must not be released: every false positive that it adds. */
export function editionProblems(before: EditionState, after: EditionState): string[] {
  return missing(after.falsePositives, before.falsePositives).map((row) => `it adds a false positive: ${row}`);
}

/** The differences between two editions, as Markdown. */
export function editionReport(before: EditionState, after: EditionState): string {
  const gained = missing(after.disposable, before.disposable);
  const lost = missing(before.disposable, after.disposable);
  const sources = after.sources.flatMap(({ name, version, count }) => {
    const old = before.sources.find((each) => each.name === name);
    if (old?.version === version && old.count === count) return [];
    return [`| \`${name}\` | ${old?.version ?? '–'} | ${version} | ${old?.count ?? 0} | ${count} |`];
  });
  const scores = after.scores.map(({ set, field, positives, found }) => {
    const old = before.scores.find((each) => each.set === set && each.field === field);
    return `| ${set} | ${field} | ${old?.found ?? '–'} | ${found} of ${positives} |`;
  });
  return [
    '# Data edition\n',
    '| source | version before | after | names before | after |\n|---|---|---|---:|---:|',
    ...sources,
    '\n## Verdicts\n',
    `${gained.length} names become disposable, ${lost.length} no longer are.\n`,
    `- gained, for example: ${sample(gained)}`,
    `- lost, for example: ${sample(lost)}`,
    '\n## Real domains\n',
    ...rows('newly flagged', missing(after.falsePositives, before.falsePositives)),
    ...rows('no longer flagged', missing(before.falsePositives, after.falsePositives)),
    '\n## Accuracy\n',
    '| set | field | found before | after |\n|---|---|---:|---:|',
    ...scores,
    '',
  ].join('\n');
}

function missing(of: readonly string[], from: readonly string[]): string[] {
  const known = new Set(from);
  return of.filter((each) => !known.has(each));
}

function rows(what: string, names: readonly string[]): string[] {
  return [`- ${what}: ${names.length === 0 ? 'none' : names.join(', ')}`];
}

const maxSampled = 20;

/** Some of the names, spread over the list. */
function sample(names: readonly string[]): string {
  const step = Math.max(1, Math.floor(names.length / maxSampled));
  const chosen = names.filter((_, index) => index % step === 0).slice(0, maxSampled);
  return chosen.length === 0 ? 'none' : chosen.join(', ');
}
