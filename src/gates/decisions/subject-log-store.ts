import type { Db } from '../../db/db.ts';

/** A gate whose log may hold something about somebody. */
export interface LoggingGate {
  readonly id: string;
  readonly environment: string;
}

/** What it takes to find, and to remove, what is logged about somebody in every gate of an account. */
export interface SubjectLogStore {
  gatesOf(accountId: string): Promise<LoggingGate[]>;
  /** Removes entries of a gate. */
  remove(gateId: string, ids: readonly string[]): Promise<void>;
}

export function createSubjectLogStore(db: Db): SubjectLogStore {
  return {
    gatesOf: (accountId) =>
      db.read
        .selectFrom('gates')
        .select(['id', 'environment'])
        .where('account_id', '=', accountId)
        .orderBy('environment')
        .orderBy('id')
        .execute(),
    async remove(gateId, ids) {
      await db.write.deleteFrom('decisions').where('gate_id', '=', gateId).where('id', 'in', ids).execute();
    },
  };
}
