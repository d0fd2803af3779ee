import type { ListLog } from './snapshot/kept-snapshot.ts';
import type { DatedSource } from './sources/package-dates.ts';

/** Services that hand out disposable domains change them within weeks. */
const oldAfterDays = 30;

/** Whether an edition is too old to have recent domains; false for unknown dates. */
export function isOldEdition(date: string | null, nowMs: number): boolean {
  return date !== null && nowMs - Date.parse(date) > oldAfterDays * 86_400_000;
}

/** Logs in one line which editions are old and what to do. Those without a download need a newer release. */
export function reportOldEditions(
  sources: readonly DatedSource[],
  downloadable: ReadonlySet<string>,
  log: ListLog,
  nowMs: number,
): void {
  const old = sources.filter(({ date }) => isOldEdition(date, nowMs));
  if (old.length === 0) return;
  const editions = Object.fromEntries(old.map(({ name, date }) => [name, date?.slice(0, 10)]));
  if (old.some(({ name }) => downloadable.has(name))) {
    log.warn({ editions }, `lists: editions are older than ${oldAfterDays} days; run \`signalpost lists update\``);
  } else {
    const message = `lists: editions are older than ${oldAfterDays} days; a newer release of Signalpost may have newer ones`;
    log.info({ editions }, message);
  }
}
