import type { DatedSource } from './sources/package-dates.ts';
import { watchingSources } from './sources/source-catalogue.ts';

/**
 * The share of the disposable domains of the last half year that lists have whose newest edition is 0, 30, 60 … days old.
 * Measured from monthly editions of 2025 and 2026 (decision 0033): services change their domains within weeks.
 */
const shareByAge = [0.998, 0.919, 0.823, 0.722, 0.614, 0.502, 0.399, 0.345, 0.31] as const;
const stepMs = 30 * 86_400_000;

/** How many of the disposable domains that appeared in the last half year the lists probably have. */
export interface ExpectedRecall {
  /** 0 to 1. */
  readonly share: number;
  /** The newest edition of a list whose publisher watches the services, ISO 8601. */
  readonly edition: string;
}

/** The recall to expect from editions of this age; null when no edition has a date. */
export function expectedRecall(sources: readonly DatedSource[], nowMs: number): ExpectedRecall | null {
  const dates = sources.flatMap(({ name, date }) => (date !== null && watchingSources.has(name) ? [date] : []));
  const edition = dates.sort().at(-1);
  if (edition === undefined) return null;
  const age = Math.max(0, nowMs - Date.parse(edition)) / stepMs;
  const at = Math.min(Math.floor(age), shareByAge.length - 1);
  const from = shareByAge[at] ?? 0;
  const to = shareByAge[at + 1] ?? from;
  return { share: Math.round((from + (to - from) * (age - at)) * 100) / 100, edition };
}

/** The expectation in words. */
export function recallText({ share, edition }: ExpectedRecall): string {
  const per = Math.round(share * 100);
  return `about ${per} % of the disposable domains of the last half year are known (newest edition: ${edition.slice(0, 10)})`;
}
