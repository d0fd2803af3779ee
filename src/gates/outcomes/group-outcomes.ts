import { parseDomain } from '../../address/domain.ts';
import type { LoggedRow } from '../decisions/decisions-store.ts';
import { matchedRuleIds } from '../decisions/logged-decision.ts';
import type { Outcome, OutcomeName } from '../decisions/outcome.ts';
import type { OutcomeRow, OutcomesStore } from '../decisions/outcomes-store.ts';

/** Outcomes of decisions that belong together. They have a reason in common, by which they are recognised later. */
export interface GroupOutcomes {
  /** Reports these decisions, except those with an outcome for another reason; returns the changed ones. */
  report(rows: readonly LoggedRow[], outcome: Outcome): Promise<readonly LoggedRow[]>;
  /** Removes the outcomes that have the reason. */
  undo(rows: readonly LoggedRow[], reason: string): Promise<void>;
}

/** Calls `onStored` for each kind of outcome that was stored. */
export function createGroupOutcomes(
  store: Pick<OutcomesStore, 'write' | 'remove'>,
  onStored: (outcome: OutcomeName, decisions: number) => void,
): GroupOutcomes {
  return {
    async report(rows, outcome) {
      const changed = rows.filter(
        ({ outcome: known }) =>
          known === undefined || (known.reason === outcome.reason && known.outcome !== outcome.outcome),
      );
      await store.write(changed.map((row) => outcomeRow(row, outcome)));
      if (changed.length > 0) onStored(outcome.outcome, changed.length);
      return changed;
    },
    async undo(rows, reason) {
      const own = rows.filter(({ outcome }) => outcome?.reason === reason);
      for (const [gateId, some] of Map.groupBy(own, (row) => row.gateId)) {
        await store.remove(
          gateId,
          some.map(({ id }) => id),
        );
      }
    },
  };
}

/** An outcome to store. */
export function outcomeRow(row: LoggedRow, { outcome, reason }: Outcome): OutcomeRow {
  const { gateId, id, action, domain: name } = row;
  const domain = parseDomain(name)?.registrable ?? name;
  return { gateId, decisionId: id, outcome, reason, action, ruleIds: matchedRuleIds(row), domain };
}
