import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import type { Gate } from './gate.ts';
import type { SentRule } from './gate-edits.ts';
import type { Gates } from './gates.ts';
import type { Revision, RevisionSummary, RevisionsStore } from './revisions-store.ts';

/** The revisions of gates. A gate of another owner is not found. */
export interface Revisions {
  /** Newest first, those before a number. */
  list(owner: Owner, gateId: string, limit: number, before: number | null): Promise<RevisionSummary[]>;
  /** Throws `revision_not_found`. */
  find(owner: Owner, gateId: string, revision: number | 'current'): Promise<Revision>;
  /** An earlier state of a gate, if it is still kept; the caller has read the gate before. */
  of(gate: Gate, revision: number): Promise<Revision | null>;
  /** Restores an earlier revision as a new one. */
  restore(
    author: Author,
    gateId: string,
    revision: number | 'current',
    expectedRevision: number | undefined,
  ): Promise<Gate>;
}

/** The revisions of gates, including gates that have not changed since revisions were introduced. */
export function createRevisions(gates: Pick<Gates, 'read' | 'change'>, store: RevisionsStore): Revisions {
  const of = async (gate: Gate, revision: number): Promise<Revision | null> => {
    const kept = await store.find(gate.id, revision);
    return kept ?? (revision === gate.revision ? presentState(gate) : null);
  };
  const find = async (owner: Owner, gateId: string, revision: number | 'current'): Promise<Revision> => {
    const gate = await gates.read(owner, gateId);
    const found = await of(gate, revision === 'current' ? gate.revision : revision);
    if (found === null) throw new AppError('revision_not_found');
    return found;
  };
  return {
    async list(owner, gateId, limit, before) {
      const gate = await gates.read(owner, gateId);
      const kept = await store.list(gate.id, limit, before);
      if (gate.revision > 0 || before !== null) return kept;
      const { rules, description: _description, wait: _wait, ...state } = presentState(gate);
      return [{ ...state, rulesCount: rules.length }];
    },
    find,
    of,
    async restore(author, gateId, revision, expectedRevision) {
      const { name, description, defaultAction, wait, rules } = await find(author, gateId, revision);
      const sent = rules.map(({ id, createdAtMs: _created, updatedAtMs: _updated, ...draft }): SentRule => {
        return { id, draft };
      });
      const state = { name, description, defaultAction, wait, rules: sent };
      return gates.change(author, gateId, expectedRevision === undefined ? state : { ...state, expectedRevision });
    },
  };
}

/** The gate is older than revisions and has not changed since. */
function presentState({ id: gateId, revision, updatedAtMs, ...gate }: Gate): Revision {
  const { name, description, defaultAction, wait, rules } = gate;
  const state = { name, description, defaultAction, wait, rules };
  return { gateId, revision, changedAtMs: updatedAtMs, changedBy: null, changes: {}, ...state };
}
