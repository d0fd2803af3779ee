import type { Db } from '../../db/db.ts';
import { createDecisionsStore } from '../decisions/decisions-store.ts';
import { createOutcomesStore, type OutcomesStore } from '../decisions/outcomes-store.ts';
import { createDecisionLog, type DecisionLog } from './decision-log.ts';
import { createSegmentsStore, type SegmentsStore } from './segments-store.ts';

/** The log of a database, with the stores that it is made of. */
export interface OpenDecisionLog extends DecisionLog {
  readonly segments: SegmentsStore;
  readonly outcomes: OutcomesStore;
}

/** Opens the log of a database. */
export function openDecisionLog(db: Db): OpenDecisionLog {
  const segments = createSegmentsStore(db);
  const outcomes = createOutcomesStore(db);
  return { ...createDecisionLog(createDecisionsStore(db), segments, outcomes), segments, outcomes };
}
