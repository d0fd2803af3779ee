import dates from '../../../data/package-dates.json' with { type: 'json' };

const published: Readonly<Record<string, { readonly version: string; readonly published: string }>> = dates.packages;

/** When this version of a data package was published, ISO 8601; null for a version that nobody recorded. */
export function editionDate(name: string, version: string): string | null {
  const recorded = published[name];
  return recorded?.version === version ? recorded.published : null;
}
