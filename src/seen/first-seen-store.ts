import { sql } from 'kysely';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { readByKey } from '../db/read-by-key.ts';
import { rowsParameter } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';

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
  /** Removes domains that were last seen before a day; requests are served in between. */
  removeBefore(day: number, ended: AbortSignal): Promise<void>;
  /** Removes the sightings of a domain by an account's environments; null: of all domains. */
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
    removeBefore: (day, ended) => removeBefore(db, day, ended),
    remove: (accountId, registrable, nowMs) =>
      db.transaction(async (trx) => {
        const all = trx.deleteFrom('seen_days').where('key', '>=', `${accountId}/`).where('key', '<', `${accountId}0`);
        await (registrable === null ? all : all.where('key', 'like', `%/${registrable}`)).execute();
        await recordChange(trx, seenTopic, accountId, nowMs);
      }),
  };
}

/** Keys in one statement, which takes the embedded database a few milliseconds. */
const keysPerStatement = 1_000;

/** Walks over all keys: an index by day would cost every new domain more than this does once a day. */
async function removeBefore(db: Db, day: number, ended: AbortSignal): Promise<void> {
  for (let after = ''; !ended.aborted; await yieldToEventLoop()) {
    const keys = db.read.selectFrom('seen_days').select('key').where('key', '>', after).orderBy('key');
    const last = await keys
      .limit(1)
      .offset(keysPerStatement - 1)
      .executeTakeFirst();
    const rest = db.background.write.deleteFrom('seen_days').where('key', '>', after).where('last_day', '<', day);
    const { numDeletedRows } = await (last === undefined
      ? rest
      : rest.where('key', '<=', last.key)
    ).executeTakeFirstOrThrow();
    // Otherwise SQLite's log grows until SQLite checkpoints it in the middle of a commit.
    if (numDeletedRows > 0n) await db.fsync();
    if (last === undefined) return;
    after = last.key;
  }
}

/** `/` is in no account id, environment or domain; the character after it is `0`. */
function keyOf({ accountId, environment }: Owner, registrable: string): string {
  return `${accountId}/${environment}/${registrable}`;
}
