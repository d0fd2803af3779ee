import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { laterTables, releasedTables } from './schema-tables.ts';
import { upgradeRelease } from './upgrade-release.ts';

/** The migrations of version 0.1.0. */
const released = ['0001-accounts', '0002-blocklist', '0003-facts', '0004-gates', '0005-change-positions'];

/** Creates the whole schema, and brings databases of version 0.1.0 to it. */
export const schema: Migration = {
  id: '0001-schema',
  replaces: released,
  async up(db, engine, applied) {
    const isNew = applied.length === 0;
    const statements = [...(isNew ? releasedTables(engine) : []), ...laterTables(engine)];
    for (const statement of statements) await sql.raw(statement).execute(db);
    if (!isNew) await upgradeRelease(db, engine);
  },
};
