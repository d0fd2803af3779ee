import { sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { lockRows } from '../db/row-locks.ts';
import { rowsParameter } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import type { Environment } from '../http/endpoint.ts';

/** One name that one environment saw on a day. */
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

/** Many of them, compressed. */
export interface SeenBlock {
  readonly firstName: string;
  readonly lastName: string;
  readonly entries: number;
  readonly body: Uint8Array;
}

/** Where a block is, and what names it can hold. */
export interface BlockSpan {
  readonly no: number;
  readonly day: number;
  readonly firstName: string;
  readonly lastName: string;
}

/** What environments saw, in the database. */
export interface SeenStore {
  /** Writes what was seen; what was seen before on the same day stays as it is. */
  add(rows: readonly DaysRow[]): Promise<void>;
  /** The days that have rows, the oldest first. */
  openDays(): Promise<number[]>;
  /** The next rows of a day in the order of names; null: the first. */
  page(day: number, after: SeenRow | null, most: number): Promise<SeenRow[]>;
  /** The rows of a day about a name and what is below it. */
  under(day: number, name: string): Promise<SeenRow[]>;
  /** Puts a block in the place of the first rows of a day; how many rows there were. */
  seal(day: number, most: number, encode: (rows: readonly SeenRow[]) => Promise<SeenBlock>): Promise<number>;
  /** The next blocks after one, in the order of their numbers. */
  blocks(afterNo: number, most: number): Promise<BlockSpan[]>;
  body(no: number): Promise<Uint8Array | null>;
  /** Changes a block that nobody else changes meanwhile; null from `change` leaves it as it is, 'empty' removes it. */
  rewrite(no: number, change: (body: Uint8Array) => SeenBlock | 'empty' | null): Promise<void>;
  /** How many names are sealed, by day, the newest first. */
  sealedDays(): Promise<{ day: number; entries: number }[]>;
  /** Removes some of what was seen before a day; whether there was any. */
  removeBefore(day: number, most: number): Promise<boolean>;
  /** Removes the rows of an account; its share of blocks is for `rewrite`. */
  removeRows(accountId: string): Promise<void>;
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
      // In one order everywhere: two instances that write the same rows must not wait for each other.
      const inOrder = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
      await sql`insert into seen_domains (day, name, account_id, environment, flagged)
        select day, name, account_id, environment, flagged from ${passed.table(inOrder)} passed where true order by position
        on conflict do nothing`.execute(db.background.write);
    },
    openDays: () => openDays(db),
    page: (day, after, most) => page(db, day, after, most),
    async under(day, name) {
      const ofDay = sql`select name, account_id, environment, flagged from seen_domains where day = ${day}`;
      // Names below another: `/` comes right after `.`. Two questions in one, each of which the key answers.
      const { rows } = await sql<SeenRow>`${ofDay} and name = ${name}
        union all ${ofDay} and name >= ${`${name}.`} and name < ${`${name}/`}`.execute(db.read);
      return rows;
    },
    seal: (day, most, encode) =>
      db.background.transaction(async (trx) => {
        const rows = await takeRows(trx, day, most);
        if (rows.length === 0) return 0;
        const { firstName, lastName, entries, body } = await encode(rows);
        const span = { first_name: firstName, last_name: lastName };
        await trx
          .insertInto('seen_blocks')
          .values({ day, ...span, entries, body })
          .execute();
        return rows.length;
      }),
    async blocks(afterNo, most) {
      const query = db.read.selectFrom('seen_blocks').select(['no', 'day', 'first_name', 'last_name']);
      const rows = await query.where('no', '>', afterNo).orderBy('no').limit(most).execute();
      return rows.map(({ no, day, first_name, last_name }) => ({
        no,
        day,
        firstName: first_name,
        lastName: last_name,
      }));
    },
    async body(no) {
      const query = db.read.selectFrom('seen_blocks').select('body').where('no', '=', no);
      return (await query.executeTakeFirst())?.body ?? null;
    },
    rewrite: (no, change) => rewrite(db, no, change),
    sealedDays: () =>
      db.read
        .selectFrom('seen_blocks')
        .select('day')
        .select(({ fn }) => fn.sum<number>('entries').as('entries'))
        .groupBy('day')
        .orderBy('day', 'desc')
        .execute(),
    removeBefore: (day, most) => removeBefore(db, day, most),
    async removeRows(accountId) {
      for (const day of await openDays(db)) {
        await db.write.deleteFrom('seen_domains').where('day', '=', day).where('account_id', '=', accountId).execute();
      }
    },
  };
}

const keyOf = (row: DaysRow): string => `${row.day} ${row.name} ${row.account_id} ${row.environment}`;

async function page(db: Db, day: number, after: SeenRow | null, most: number): Promise<SeenRow[]> {
  const last = after === null ? sql`('', '', '')` : sql`(${after.name}, ${after.account_id}, ${after.environment})`;
  const { rows } = await sql<SeenRow>`select name, account_id, environment, flagged from seen_domains
    where day = ${day} and (name, account_id, environment) > ${last}
    order by name, account_id, environment limit ${most}`.execute(db.read);
  return rows;
}

/** One step for each day: the rows of a day are not all looked at to find the next. */
async function openDays(db: Db): Promise<number[]> {
  const days: number[] = [];
  for (;;) {
    const query = db.read.selectFrom('seen_domains').select('day').orderBy('day').limit(1);
    const row = await query.where('day', '>', days.at(-1) ?? -1).executeTakeFirst();
    if (row === undefined) return days;
    days.push(row.day);
  }
}

/** In one statement: of two processes that take the same rows, one gets them. */
async function takeRows(trx: Transaction<Schema>, day: number, most: number): Promise<SeenRow[]> {
  const first = sql`select name, account_id, environment from seen_domains where day = ${day}
    order by name, account_id, environment limit ${most}`;
  const { rows } = await sql<SeenRow>`delete from seen_domains
    where day = ${day} and (name, account_id, environment) in (${first})
    returning name, account_id, environment, flagged`.execute(trx);
  return rows;
}

async function rewrite(db: Db, no: number, change: Parameters<SeenStore['rewrite']>[1]): Promise<void> {
  await db.transaction(async (trx) => {
    const query = trx.selectFrom('seen_blocks').select('body').where('no', '=', no);
    const row = await lockRows(db, query, 'update').executeTakeFirst();
    const changed = row === undefined ? null : change(row.body);
    if (changed === null) return;
    if (changed === 'empty') {
      await trx.deleteFrom('seen_blocks').where('no', '=', no).execute();
      return;
    }
    const { firstName, lastName, entries, body } = changed;
    const columns = { first_name: firstName, last_name: lastName, entries, body };
    await trx.updateTable('seen_blocks').set(columns).where('no', '=', no).execute();
  });
}

async function removeBefore(db: Db, day: number, most: number): Promise<boolean> {
  const oldBlocks = sql`select no from seen_blocks where day < ${day} order by day limit ${most}`;
  const blocks = await sql`delete from seen_blocks where no in (${oldBlocks})`.execute(db.background.write);
  const oldRows = sql`select day, name, account_id, environment from seen_domains where day < ${day} limit ${most}`;
  const rows = await sql`delete from seen_domains
    where (day, name, account_id, environment) in (${oldRows})`.execute(db.background.write);
  return Number(blocks.numAffectedRows ?? 0) + Number(rows.numAffectedRows ?? 0) > 0;
}
