import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Owner } from '../http/endpoint.ts';

/** Reads whether an environment reported a decision about a registrable domain as bad. */
export interface BadOutcomesStore {
  hasOf(owner: Owner, registrable: string): Promise<boolean>;
}

export function createBadOutcomesStore(db: Db): BadOutcomesStore {
  return {
    async hasOf({ accountId, environment }, registrable) {
      const found = db.read
        .selectFrom('gates')
        .select('id')
        .where('account_id', '=', accountId)
        .where('environment', '=', environment)
        .where(
          sql<boolean>`exists (select 1 from decision_outcomes o
            where o.domain = ${registrable} and o.gate_id = gates.id and o.outcome = 'bad')`,
        );
      return (await found.limit(1).execute()).length > 0;
    },
  };
}
