import dates from '../../../data/package-dates.json' with { type: 'json' };

const published: Readonly<Record<string, { readonly version: string; readonly published: string }>> = dates.packages;

/** Something that answers come from, and the day of its edition. */
export interface DatedSource {
  readonly name: string;
  /** ISO 8601; null when nobody says. */
  readonly date: string | null;
}

/** When this version of a data package was published, ISO 8601; null for a version that nobody recorded. */
export function editionDate(name: string, version: string): string | null {
  const recorded = published[name];
  return recorded?.version === version ? recorded.published : null;
}
