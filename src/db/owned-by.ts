import { type RawBuilder, sql } from 'kysely';

interface OwnerIds {
  readonly accountId: string;
  readonly environment: string;
}

/** The condition that a row belongs to an environment of an account; `table` where several have these columns. */
export function ownedBy({ accountId, environment }: OwnerIds, table?: string): RawBuilder<boolean> {
  const column = (name: string) => (table === undefined ? sql.ref(name) : sql.ref(`${table}.${name}`));
  return sql`(${column('account_id')} = ${accountId} and ${column('environment')} = ${environment})`;
}
