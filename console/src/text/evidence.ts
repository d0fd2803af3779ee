import { dayName } from './times.ts';

interface Evidence {
  readonly source?: string;
  readonly detail?: string;
  readonly entry?: string;
  readonly date?: string | null;
}

/** What a lookup with `explain` says of one signal. */
export type Explanation =
  | { readonly known: true; readonly evidence: readonly Evidence[] }
  | { readonly known: false; readonly reason: string };

/** The explanation of a signal, if the answer carries one. */
export function explanationOf(explain: Readonly<Record<string, unknown>> | undefined, signal: string) {
  return explain?.[signal] as Explanation | undefined;
}

/** One piece of evidence as a line: what, where it comes from, and of when. */
export function evidenceText({ source, detail, entry, date }: Evidence): string {
  const matched = entry ? `entry ${entry}` : null;
  return [source, detail, matched, date ? dayName(date) : null].filter(Boolean).join(' · ');
}

/** Names joined as in speech: a, b and c. */
export function joined(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Some names as in speech, the rest as a number: a, b, c and 4 more. */
export const someOf = (names: readonly string[], most = 3): string =>
  names.length <= most + 1 ? joined(names) : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;

/** The sources that name something, each once. */
export const sourcesOf = (explanation: Explanation | undefined): string[] =>
  explanation?.known ? [...new Set(explanation.evidence.flatMap(({ source }) => source ?? []))] : [];
