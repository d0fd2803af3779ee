import { sourceName } from './sources.ts';
import { dayName } from './times.ts';

/** One statement about a subject. */
export interface Evidence {
  readonly source?: string;
  readonly detail?: string;
  readonly entry?: string;
  readonly date?: string | null;
}

/** The explanation of one signal in a lookup with `explain`. */
export type Explanation =
  | { readonly known: true; readonly evidence: readonly Evidence[] }
  | { readonly known: false; readonly reason: string };

/** The explanation of a signal, if the response has one. */
export function explanationOf(explain: Readonly<Record<string, unknown>> | undefined, signal: string) {
  return explain?.[signal] as Explanation | undefined;
}

/** One piece of evidence as a line: source, detail and date. */
export function evidenceText({ source, detail, entry, date }: Evidence): string {
  const matched = entry ? `entry ${entry}` : null;
  return [source && sourceName(source), detail, matched, date ? dayName(date) : null].filter(Boolean).join(' · ');
}

/** Names joined in a sentence: a, b and c. */
export function joined(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Some names joined in a sentence, the rest counted: a, b, c and 4 more. */
export const someOf = (names: readonly string[], most = 3): string =>
  names.length <= most + 1 ? joined(names) : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;

/** The sources of an explanation, each once. */
export const sourcesOf = (explanation: Explanation | undefined): string[] =>
  explanation?.known
    ? [...new Set(explanation.evidence.flatMap(({ source }) => (source === undefined ? [] : sourceName(source))))]
    : [];
