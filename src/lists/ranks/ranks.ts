import { readFileSync } from 'node:fs';
import seed from '../../../data/rank-seed.json' with { type: 'json' };
import { errorMessage } from '../../error-message.ts';
import { fileStamp } from '../../files/file-stamp.ts';
import type { Evidence } from '../../reading.ts';
import type { RankSource } from '../../signals/sources.ts';
import type { ListLog } from '../snapshot/kept-snapshot.ts';
import { decodeRanks, findRank, type RankTable } from './ranks-file.ts';

/** The ranking in use, for `lists status`. */
export interface RanksStatus {
  /** Where the loaded ranking comes from; null while only the seed is there. */
  readonly source: string | null;
  readonly builtAt: string | null;
  /** The day of its edition, if it is known; ISO 8601. */
  readonly date: string | null;
  readonly count: number;
  /** Well-known domains to which we give a rank where the ranking has none. */
  readonly seedCount: number;
}

/** Popularity ranks in memory. */
export interface Ranks extends RankSource {
  status(): RanksStatus;
  /** Loads a ranking whose file changed. */
  poll(): void;
}

export interface RanksOptions {
  readonly file: string;
  readonly log: ListLog;
}

/** Ranks from a compiled ranking where there is one, and from the seed of well-known domains. */
export function openRanks({ file, log }: RanksOptions): Ranks {
  const seeded = new Map(seed.entries as [string, number][]);
  let stamp = '-';
  let table: RankTable | null = null;
  // The stamp is read before the file, so that a change in between is noticed next time.
  const refresh = (): void => {
    try {
      const before = stamp;
      stamp = fileStamp(file);
      if (stamp === before) return;
      table = stamp === '-' ? null : decodeRanks(readFileSync(file));
      log.info(
        { count: table?.header.count ?? 0, source: table?.header.source ?? 'seed' },
        'ranks: a new ranking is in use',
      );
    } catch (error) {
      const reason = errorMessage(error);
      log.warn({ file, reason }, 'ranks: the file is unusable; the last good ranking stays in use');
    }
  };
  refresh();
  return {
    rank: (registrable) => (table === null ? null : findRank(table, registrable)) ?? seeded.get(registrable) ?? null,
    explain: (registrable) => explainRank(table, seeded, registrable),
    get isLoaded() {
      return table !== null;
    },
    status: () => ({
      source: table?.header.source ?? null,
      builtAt: table?.header.builtAt ?? null,
      date: table === null ? null : dateOf(table),
      count: table?.header.count ?? 0,
      seedCount: seeded.size,
    }),
    poll: refresh,
  };
}

const seedFile = 'data/rank-seed.json';

function explainRank(table: RankTable | null, seeded: ReadonlyMap<string, number>, registrable: string): Evidence[] {
  const rank = table === null ? null : findRank(table, registrable);
  const estimate = rank === null ? seeded.get(registrable) : undefined;
  const said = (given: number | null): string =>
    given === null ? 'popularity rank: none' : `popularity rank ${given}`;
  const ofTable =
    table === null
      ? []
      : [{ source: table.header.source, detail: said(rank), entry: registrable, date: dateOf(table) }];
  if (estimate !== undefined) {
    return [
      ...ofTable,
      { source: seedFile, detail: `popularity rank about ${estimate}, our estimate`, entry: registrable },
    ];
  }
  return table === null ? [{ source: seedFile, detail: 'no ranking is loaded', entry: registrable }] : ofTable;
}

/** Rankings compiled before editions were recorded have the day of their import. */
function dateOf({ header }: RankTable): string {
  return header.date ?? header.builtAt;
}
