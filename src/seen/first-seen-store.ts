import { sql } from 'kysely';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import { removeBefore } from '../db/remove-before.ts';
import { rowsParameter } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';

/** The days on which an environment saw a registrable domain. */
export type SeenDays = Pick<Schema['seen_days'], 'last_day' | 'days' | 'older_day'>;

/** Announces that sightings were removed. */
export const seenTopic = 'seen_domains';

/** The days on which environments saw registrable domains, in the database. */
export interface FirstSeenStore {
  /** Null when it was not seen; not a promise where the storage answers synchronously. */
  load(owner: Owner, registrable: string): SeenDays | null | Promise<SeenDays | null>;
  /** Adds a day to each domain; none may be there twice. */
  add(seen: readonly SeenOn[]): Promise<void>;
  removeBefore(day: number): Promise<void>;
  /** Removes what an account's environments saw; null: of all domains. */
  remove(accountId: string, registrable: string | null, nowMs: number): Promise<void>;
}

/** That an environment saw a registrable domain on a day. */
export interface SeenOn {
  readonly owner: Owner;
  readonly registrable: string;
  readonly day: number;
}

/** Days that the bits of `days` cover. */
export const coveredDays = 31;

export function createFirstSeenStore(db: Db): FirstSeenStore {
  const byKey = readByKey(
    db,
    (key) => db.read.selectFrom('seen_days').select(['key', 'last_day', 'days', 'older_day']).where('key', '=', key),
    (row) => row.key,
  );
  const passed = rowsParameter(db, { key: 'text', day: 'integer' });
  const later = sql`excluded.last_day - seen_days.last_day`;
  return {
    load: (owner, registrable) => mapMaybePromise(byKey(keyOf(owner, registrable)), ([row = null]) => row),
    async add(seen) {
      const rows = seen.map(({ owner, registrable, day }) => ({ key: keyOf(owner, registrable), day }));
      // In one order everywhere, so that two instances that write the same rows cannot deadlock.
      const inOrder = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));
      // Bits that no longer fit leave behind the last day they can be of.
      await sql`insert into seen_days (key, last_day, days)
        select key, day, 1 from ${passed.table(inOrder)} passed where true order by position
        on conflict (key) do update set
          last_day = case when ${later} > 0 then excluded.last_day else seen_days.last_day end,
          days = case when ${later} >= ${sql.lit(coveredDays)} then 1
            when ${later} > 0 then ((seen_days.days << (${later})) & ${sql.lit(2 ** coveredDays - 1)}) | 1
            when ${later} > ${sql.lit(-coveredDays)} then seen_days.days | (1 << (-(${later})))
            else seen_days.days end,
          older_day = case when ${later} >= ${sql.lit(coveredDays)} then seen_days.last_day
            when ${later} > 0 and seen_days.days >> (${sql.lit(coveredDays)} - (${later})) > 0
              then excluded.last_day - ${sql.lit(coveredDays)}
            else seen_days.older_day end`.execute(db.background.write);
    },
    removeBefore: (day) => removeBefore(db, 'seen_days', 'last_day', day),
    remove: (accountId, registrable, nowMs) =>
      db.transaction(async (trx) => {
        const all = trx.deleteFrom('seen_days').where('key', '>=', `${accountId}/`).where('key', '<', `${accountId}0`);
        await (registrable === null ? all : all.where('key', 'like', `%/${registrable}`)).execute();
        await recordChange(trx, seenTopic, accountId, nowMs);
      }),
  };
}

/** `/` is in no account id, environment or domain; the character after it is `0`. */
function keyOf({ accountId, environment }: Owner, registrable: string): string {
  return `${accountId}/${environment}/${registrable}`;
}
