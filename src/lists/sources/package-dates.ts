import dates from '../../../data/package-dates.json' with { type: 'json' };

interface PackageDate {
  readonly version: string;
  readonly published: string;
  /** The day of the names, where they are older than the package. */
  readonly edition?: string;
}

const recordedDates: Readonly<Record<string, PackageDate>> = dates.packages;

/** A source of signals, and the day of its edition. */
export interface DatedSource {
  readonly name: string;
  /** ISO 8601; null when it is unknown. */
  readonly date: string | null;
}

/**
 * The day of a version of a data package, ISO 8601; null for an unrecorded one. A registry may report a later
 * day: a mirror reports when it first had a version. So a day inside the version itself (2.3.2026061719) counts first.
 */
export function editionDate(name: string, version: string): string | null {
  const [, year, month, day] = /\.(20\d\d)(\d\d)(\d\d)\d\d$/.exec(version) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}T00:00:00Z`;
  const recorded = recordedDates[name];
  return recorded?.version === version ? (recorded.edition ?? recorded.published) : null;
}
