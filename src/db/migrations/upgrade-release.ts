import { sql, type Transaction } from 'kysely';
import type { Engine } from '../migrate.ts';
import { rowsParameter } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { removalsTable } from './schema-tables.ts';

/** Removed domains were stored in clear text; instances that are behind load their lists again. */
const forgetRemovedDomains = (engine: Engine): string[] => [
  'update blocklists set pruned_through = last_seq',
  'drop table blocklist_removals',
  removalsTable(engine),
];

/** Brings the tables of version 0.1.0 to today's; those that came later exist already. */
export async function upgradeRelease(db: Transaction<Schema>, engine: Engine): Promise<void> {
  for (const statement of [...changedTables, ...forgetRemovedDomains(engine), ...filledTables])
    await sql.raw(statement).execute(db);
  await convertIpSignals(db, engine);
}

const changedTables = [
  'alter table blocklist_entries add column reason text',
  'alter table keys add column expires_at bigint',
  'alter table keys add column last_used_at bigint',
  "alter table gates add column wait text default '[]' not null",
  'alter table gates add column revision integer default 0 not null',
  // Segments find entries by their own terms, and rows are sealed soon: an index for each filter would only cost.
  ...['action', 'domain', 'rule_id', 'email_key', 'ip', 'gate'].map((name) => `drop index decisions_${name}`),
  'create unique index recent_decisions_gate on decisions (gate_id, id)',
  'create index recent_decisions_id on decisions (id)',
];

/** Totals by day and by environment, which version 0.1.0 did not count. */
const filledTables = [
  `insert into rule_days (gate_id, day, rule_id, name, matches, shadow_matches)
    select gate_id, hour - hour % 86400000, rule_id, max(name), sum(matches), sum(shadow_matches) from rule_counts
    group by gate_id, hour - hour % 86400000, rule_id`,
  `insert into environment_counts (account_id, environment, hour, allow, block, challenge)
    select account_id, environment, hour, ${['allow', 'block', 'challenge'].map(sumOf).join(', ')}
    from decision_counts join gates on gates.id = decision_counts.gate_id
    group by account_id, environment, hour`,
];

function sumOf(action: string): string {
  return `sum(case when action = '${action}' then decisions else 0 end)`;
}

/** Where the log of version 0.1.0 has the signals of an IP address, in the order in which entries hold them now. */
const ipSignals = [
  'abuse.detected',
  'anonymity.proxy.detected',
  'anonymity.relay.detected',
  'anonymity.tor.detected',
  'anonymity.vpn.detected',
  'hosting.detected',
  'geo.country',
  'geo.countryCode',
  'geo.continent',
  'geo.continentCode',
  'geo.city',
  'network.asn',
  'network.aso',
  'network.domain',
  'network.type',
].map((path) => path.split('.'));
/** The index of the IP address's signals in an entry. */
const ipPlace = 7;
const rowsPerPage = 500;

/** Version 0.1.0 logged an IP address's signals by name; entries hold them by position. */
async function convertIpSignals(db: Transaction<Schema>, engine: Engine): Promise<void> {
  const converted = rowsParameter({ engine }, { gate_id: 'text', id: 'text', entry: 'text' });
  for (let last = { gate_id: '', id: '' }; ; ) {
    const rows = await db
      .selectFrom('decisions')
      .select(['gate_id', 'id', 'entry'])
      .where('ip', 'is not', null)
      .where(sql<boolean>`(gate_id, id) > (${last.gate_id}, ${last.id})`)
      .orderBy('gate_id')
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    const changed = converted.table(rows.map((row) => ({ ...row, entry: upgradeEntry(row.entry) })));
    await sql`update decisions set entry = changed.entry from ${changed} changed
      where decisions.gate_id = changed.gate_id and decisions.id = changed.id`.execute(db);
    const next = rows.at(-1);
    if (next === undefined) return;
    last = next;
  }
}

/** An entry of version 0.1.0 as it is logged now. */
export function upgradeEntry(entry: string): string {
  const values: unknown[] = JSON.parse(entry);
  const ip = values[ipPlace];
  values[ipPlace] = ip === null ? null : ipSignals.map((path) => path.reduce(fieldOf, ip) ?? null);
  return JSON.stringify(values);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
