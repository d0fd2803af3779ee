import { sql, type Transaction } from 'kysely';
import type { Engine, Migration } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { auditActionIndex, laterTables, releasedTables } from './schema-tables.ts';
import { forgetRemovedDomains, upgradeRelease } from './upgrade-release.ts';

/** The migrations of version 0.1.0. */
const released = ['0001-accounts', '0002-blocklist', '0003-facts', '0004-gates', '0005-change-positions'];
/** Those of development versions after it. */
const unreleased = [
  '0006-audit',
  '0007-gate-wait',
  '0008-mail-hosts',
  '0009-decision-segments',
  '0010-gate-revisions',
  '0011-users',
  '0012-credit-leases',
  '0013-lookup-counts',
  '0014-rule-days',
  '0015-webhooks',
  '0016-operator-entries',
  '0017-seen-domains',
  '0018-sign-in-tries',
  '0019-shared-lists',
  '0020-environment-counts',
  '0021-flag-comparison-leases',
];

/** Creates the whole schema, and brings databases of version 0.1.0 and of the last development version to it. */
export const schema: Migration = {
  id: '0001-schema',
  replaces: [...released, ...unreleased],
  async up(db, engine, applied) {
    const last = applied.at(-1);
    if (last === undefined) await run(db, [...releasedTables(engine), ...laterTables(engine)]);
    else if (last === released.at(-1)) await upgrade(db, engine);
    else if (last === unreleased.at(-1)) await run(db, [...afterLastUnreleased, ...forgetRemovedDomains(engine)]);
    else throw new Error(refusal(last));
  },
};

async function run(db: Transaction<Schema>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function upgrade(db: Transaction<Schema>, engine: Engine): Promise<void> {
  await run(db, laterTables(engine));
  await upgradeRelease(db, engine);
}

/** Blocks of seen domains had another format; they are at most a month of data that only notifications use. */
const afterLastUnreleased = [
  'drop table old_decisions',
  'drop table fact_leases',
  'delete from seen_blocks',
  auditActionIndex,
];

const refusal = (last: string): string =>
  `the database was made by a development version whose last migration is ${last}; nothing was changed. ` +
  `Start it once with the development version that has ${unreleased.at(-1)}, or use a backup of version 0.1.0`;
