import { counted, grouped } from './numbers.ts';
import { ago, dayName } from './times.ts';

interface Edition {
  /** `own` for the files of this project. */
  readonly version?: string | undefined;
  readonly date?: string | null | undefined;
  /** When a download last asked the publisher; null for never, undefined for a source that is not downloaded. */
  readonly checkedAt?: string | null | undefined;
}

/** How fresh a source is. */
export function freshness({ version, date, checkedAt }: Edition, now: number = Date.now()): string {
  const edition = version === 'own' ? 'part of this version' : date ? `edition of ${dayName(date, now)}` : null;
  const checked = checkedAt ? `checked ${ago(checkedAt, now)}` : checkedAt === null ? 'never downloaded' : null;
  return [edition, checked].filter((part) => part !== null).join(', ');
}

/** A source's contribution: its entries, and how many of them no other source has. */
export function addition(count: number, alone: number | null): string {
  if (count === 0) return '';
  const all = counted(count, 'entry', 'entries');
  return alone === null || alone === 0 ? all : `${all}, ${grouped(alone)} on no other list`;
}
