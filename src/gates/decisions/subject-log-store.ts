import type { Db } from '../../db/db.ts';

/** A gate whose log may have entries about a person. */
export interface LoggingGate {
  readonly id: string;
  readonly environment: string;
}

/** Gates whose log may have entries about a person. */
export interface SubjectLogStore {
  gatesOf(accountId: string): Promise<LoggingGate[]>;
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
  };
}
