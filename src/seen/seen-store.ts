import { sql, type Transaction } from 'kysely';
import { readBody, rewriteBlock } from '../db/blocks.ts';
import type { Db } from '../db/db.ts';
import { rowsParameter } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import type { Environment } from '../http/endpoint.ts';

/** A name that an environment saw on a day. */
export interface SeenRow {
  /** From its end: `com.example.mail`. */
  readonly name: string;
  readonly account_id: string;
  readonly environment: Environment;
  readonly flagged: number;
}

/** The same with its day. */
export interface DaysRow extends SeenRow {
  /** Days since 1970, UTC. */
  readonly day: number;
}

/** Many rows of a day, compressed. */
export type SeenBlock = Omit<Schema['seen_blocks'], 'no' | 'day'>;

/** A block's number and the span of its names. */
export interface BlockSpan {
  readonly no: number;
  readonly day: number;
  readonly firstName: string;
  readonly lastName: string;
}

/** The domains that environments saw, in the database. */
export interface SeenStore {
  /** Writes sightings; an earlier one of the same day stays unchanged. */
  add(rows: readonly DaysRow[]): Promise<void>;
  /** The days that have rows, the oldest first. */
  openDays(): Promise<number[]>;
  /** The rows of a day after one in the order of names; null: from the first. */
  page(day: number, after: SeenRow | null, limit: number): Promise<SeenRow[]>;
  /** The rows of a day about a name and its subdomains. */
  under(day: number, name: string): Promise<SeenRow[]>;
  /** Replaces the first rows of a day by a block; how many rows there were. */
  seal(day: number, limit: number, encode: (rows: readonly SeenRow[]) => SeenBlock): Promise<number>;
  /** The blocks after one, in the order of their numbers. */
  blocks(afterNo: number, limit: number): Promise<BlockSpan[]>;
  body(no: number): Promise<Uint8Array | null>;
  /** See `rewriteBlock`. */
  rewrite(no: number, change: (body: Uint8Array) => SeenBlock | 'empty' | null): Promise<boolean>;
  /** The number of sealed rows by day, the newest first. */
  sealedDays(): Promise<{ day: number; entries: number }[]>;
  /** Removes some of the sightings before a day; whether there were any. */
  removeBefore(day: number, limit: number): Promise<boolean>;
  /** Removes an account's rows, or those about one name; `rewrite` removes them from blocks. */
  removeRows(accountId: string, name: string | null): Promise<void>;
}

export function createSeenStore(db: Db): SeenStore {
  const passed = rowsParameter(db, {
    day: 'integer',
    name: 'text',
    account_id: 'text',
    environment: 'text',
    flagged: 'integer',
  });
  return {
    async add(rows) {
      if (rows.length === 0) return;
      // In one order everywhere, so that two instances that write the same rows cannot deadlock.
      const inOrder = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
      await sql`insert into seen_domains (day, name, account_id, environment, flagged)
        select day, name, account_id, environment, flagged from ${passed.table(inOrder)} passed where true order by position
        on conflict do nothing`.execute(db.background.write);
    },
    openDays: () => openDays(db),
    page: (day, after, limit) => page(db, day, after, limit),
    async under(day, name) {
      const ofDay = sql`select name, account_id, environment, flagged from seen_domains where day = ${day}`;
      // Subdomains: `/` is the character after `.`. Two queries in one, each answered by the key.
      const { rows } = await sql<SeenRow>`${ofDay} and name = ${name}
        union all ${ofDay} and name >= ${`${name}.`} and name < ${`${name}/`}`.execute(db.read);
      return rows;
    },
    seal: (day, limit, encode) =>
      db.background.transaction(async (trx) => {
        const rows = await takeRows(trx, day, limit);
        if (rows.length === 0) return 0;
        await trx
          .insertInto('seen_blocks')
          .values({ day, ...encode(rows) })
          .execute();
        return rows.length;
      }),
    blocks: (afterNo, limit) =>
      db.read
        .selectFrom('seen_blocks')
        .select(['no', 'day', 'first_name as firstName', 'last_name as lastName'])
        .where('no', '>', afterNo)
        .orderBy('no')
        .limit(limit)
        .execute(),
    body: (no) => readBody(db, 'seen_blocks', no),
    rewrite: (no, change) => rewriteBlock(db, 'seen_blocks', no, change),
    sealedDays: () =>
      db.read
        .selectFrom('seen_blocks')
        .select('day')
        .select(({ fn }) => fn.sum<number>('entries').as('entries'))
        .groupBy('day')
        .orderBy('day', 'desc')
        .execute(),
    removeBefore: (day, limit) => removeBefore(db, day, limit),
    async removeRows(accountId, name) {
      for (const day of await openDays(db)) {
        const all = db.write.deleteFrom('seen_domains').where('day', '=', day).where('account_id', '=', accountId);
        await (name === null ? all : all.where('name', '=', name)).execute();
      }
    },
  };
}

const keyOf = (row: DaysRow): string => `${row.day} ${row.name} ${row.account_id} ${row.environment}`;

async function page(db: Db, day: number, after: SeenRow | null, limit: number): Promise<SeenRow[]> {
  const last = after === null ? sql`('', '', '')` : sql`(${after.name}, ${after.account_id}, ${after.environment})`;
  const { rows } = await sql<SeenRow>`select name, account_id, environment, flagged from seen_domains
    where day = ${day} and (name, account_id, environment) > ${last}
    order by name, account_id, environment limit ${limit}`.execute(db.read);
  return rows;
}

/** One query for each day, so that not all rows of a day are read to find the next. */
async function openDays(db: Db): Promise<number[]> {
  const days: number[] = [];
  for (;;) {
    const query = db.read.selectFrom('seen_domains').select('day').orderBy('day').limit(1);
    const row = await query.where('day', '>', days.at(-1) ?? -1).executeTakeFirst();
    if (row === undefined) return days;
    days.push(row.day);
  }
}

/** In one statement: of two processes that seal the same rows, one gets them. */
async function takeRows(trx: Transaction<Schema>, day: number, limit: number): Promise<SeenRow[]> {
  const first = sql`select name, account_id, environment from seen_domains where day = ${day}
    order by name, account_id, environment limit ${limit}`;
  const { rows } = await sql<SeenRow>`delete from seen_domains
    where day = ${day} and (name, account_id, environment) in (${first})
    returning name, account_id, environment, flagged`.execute(trx);
  return rows;
}

async function removeBefore(db: Db, day: number, limit: number): Promise<boolean> {
  const oldBlocks = sql`select no from seen_blocks where day < ${day} order by day limit ${limit}`;
  const blocks = await sql`delete from seen_blocks where no in (${oldBlocks})`.execute(db.background.write);
  const oldRows = sql`select day, name, account_id, environment from seen_domains where day < ${day} limit ${limit}`;
  const rows = await sql`delete from seen_domains
    where (day, name, account_id, environment) in (${oldRows})`.execute(db.background.write);
  return Number(blocks.numAffectedRows ?? 0) + Number(rows.numAffectedRows ?? 0) > 0;
}
